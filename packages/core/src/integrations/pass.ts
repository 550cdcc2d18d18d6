import { limits, QuireError, type Contract, type ParsedOf } from '@quire/contract'
import { spendRequest } from '../access-configurations/budget.ts'
import { forward } from '../access-configurations/forward.ts'
import { findUpstream, unknownUpstream, type Upstream } from '../access-configurations/upstream.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { ServedPassed } from '../call/served-passed.ts'
import { fitsGlob } from './globs.ts'

type Pass = ParsedOf<Contract['integrations']['pass']>

/**
 * Passes a request on to the upstream of an access configuration, as far as that allows it.
 * Errors: `forbidden`, also for a method or path that it does not let through; `not_found`, `too_large`, `too_many_requests`,
 * `upstream_failed`, `upstream_timeout`.
 */
export async function pass(call: Call, input: Pass): Promise<ServedPassed> {
  requirePermission(call, 'integrations.use')
  const upstream = await findUpstream(call, input.accessId)
  requireAllowed(upstream, input)
  await spendRequest(call, upstream)
  const { method, path, query, body } = input
  return new ServedPassed(
    await forward(call, upstream, {
      method,
      path,
      query,
      headers: headersOf(input),
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
      totalMs: limits.passedTime,
      maxBytes: limits.passedBytes,
    }),
  )
}

function headersOf({ headers, body }: Pass): Readonly<Record<string, string | undefined>> {
  return body?.type ? { 'content-type': body.type, ...headers } : headers
}

function requireAllowed(
  { id, allowedMethods, allowedPaths }: Upstream,
  { method, path }: Pick<Pass, 'method' | 'path'>,
): void {
  if (allowedMethods.length === 0 || allowedPaths.length === 0) throw unknownUpstream(id)
  if (!allowedMethods.includes(method)) throw notLetThrough(`no ${method}`)
  if (!allowedPaths.some((glob) => fitsGlob(`/${path}`, glob))) throw notLetThrough(`nothing to /${path}`)
}

function notLetThrough(what: string): QuireError {
  return new QuireError('forbidden', `The access configuration lets ${what} through.`)
}
