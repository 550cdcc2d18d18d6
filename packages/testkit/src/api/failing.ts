import type { ErrorCode, QuireError } from '@quire/contract'
import { expect } from 'vitest'
import { codeOf } from './host.ts'

/**
 * Expects a call to fail with a code, the status of the code and a request id. Returns the error.
 */
export async function failing(call: Promise<unknown>, code: ErrorCode): Promise<QuireError> {
  const error = await call.then(
    () => expect.unreachable(`the call should fail with ${code}`),
    (reason: unknown) => reason,
  )
  expect(codeOf(error), String(error)).toBe(code)
  const known = error as QuireError
  expect(known.message).not.toBe('')
  expect(known.requestId).toBeTypeOf('string')
  return known
}

/** Expects all calls to fail with the same code. */
export async function allFailing(calls: readonly Promise<unknown>[], code: ErrorCode): Promise<void> {
  await Promise.all(calls.map((call) => failing(call, code)))
}

/** The paths of the issues of an `invalid` call. */
export async function invalidAt(call: Promise<unknown>): Promise<string[]> {
  const { issues = [] } = await failing(call, 'invalid')
  return issues.map(({ path }) => path)
}
