import type { WriteCall } from '../call.ts'
import type { Entity } from '../../ports/index.ts'
import { hookError } from './fault.ts'
import { hooksOf, principalForHooks, shapeForHooks } from './head.ts'
import type { Change } from './hooks.ts'

/**
 * Runs the hook `check` of a head's kind, if there is one, before the head is written. Errors:
 * `invalid` if the hook refuses; `internal` for a fault of the hook.
 */
export async function requireChecked(call: WriteCall, head: Entity): Promise<void> {
  const hooks = hooksOf(call, head.kind)
  if (!hooks?.check) return
  const stored = await call.store.entities.get(head, head.kind, head.id)
  const hook = `${head.kind}.check`
  try {
    // The kind decides which shape the JSON has.
    const change = {
      kind: head.kind,
      before: shapeForHooks(stored),
      after: shapeForHooks(head),
      principal: principalForHooks(call),
      requestId: call.requestId,
    } as Change
    requireSynchronous(hooks.check(change))
  } catch (error) {
    throw hookError(call, hook, error)
  }
}

/** A promise would be decided too late: the transaction does not wait. Errors: TypeError. */
function requireSynchronous(returned: unknown): void {
  if (typeof returned !== 'object' || returned === null || !('then' in returned)) return
  // Its rejection is reported here, and must not end the process.
  Promise.resolve(returned).catch(() => undefined)
  throw new TypeError('The hook check returned a promise: it must be synchronous. Wait in before instead.')
}
