import type { Quire } from '@quire/core'
import { noLimits } from '../admission/limiter.ts'
import { readWholeForm } from '../bodies/whole-form.ts'
import { createHandler } from './handler.ts'
import type { FetchHandler, HandlerOptions } from './options.ts'

/**
 * The handler of `createFetchHandler` for tests, in Node and in a browser. It answers the same, but
 * has no rates, is never overloaded, and has the file of a form in memory. Closing it only ends its
 * streams. Errors: as `createFetchHandler`.
 */
export function createUnlimitedHandler(quire: Quire, options: HandlerOptions = {}): FetchHandler {
  const byteLength = (text: string) => new TextEncoder().encode(text).length
  return createHandler(quire, options, { limiter: noLimits, readForm: readWholeForm, byteLength })
}
