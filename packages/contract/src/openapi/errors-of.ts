import { hasNoBody } from './operation-input.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorTable } from '../error-table.ts'
import type { ErrorCode } from '../errors.ts'

/** Every error of an endpoint: its own, and those that all endpoints of its kind share. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const isPublic = endpoint.permission === 'public'
  const needsKey = !isPublic && endpoint.permission !== 'authenticated'
  const codes: (ErrorCode | false)[] = [
    'invalid',
    !isPublic && 'unauthorized',
    needsKey && 'forbidden',
    ...endpoint.errors,
    endpoint.answer === 'graphql' && 'not_acceptable',
    endpoint.body === 'tus' && endpoint.method !== 'OPTIONS' && 'precondition_failed',
    !hasNoBody(endpoint) && 'too_large',
    !hasNoBody(endpoint) &&
      endpoint.body !== 'file' &&
      endpoint.body !== 'message' &&
      'unsupported_media_type',
    'too_many_requests',
    !isPublic && 'budget_exceeded',
    'internal',
    'unavailable',
    ...ofRoom(endpoint),
  ]
  return [...new Set(codes.filter((code) => code !== false))]
}

/**
 * The errors of writes when the disk is full, and of writes that add content when a quota is
 * exceeded.
 */
function ofRoom({ method, withoutRoom }: Endpoint): ErrorCode[] {
  if (method === 'GET') return []
  return method === 'DELETE' || withoutRoom === true ? ['no_room'] : ['no_room', 'quota_exceeded']
}

/** The error codes by status, in ascending order. */
export function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code): number => errorTable[code].status)
  return [...groups].toSorted(([a], [b]) => a - b)
}
