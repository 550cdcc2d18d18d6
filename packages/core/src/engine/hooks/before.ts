import { pathNames, QuireError, type Endpoint } from '@quire/contract'
import { deepFreeze } from '@quire/contract/codec'
import type { Call } from '../call.ts'
import { checkInput } from '../check-input.ts'
import type { OperationName } from '../operation-name.ts'
import { isSame } from '../same.ts'
import type { Scope } from '../scope.ts'
import { isJsonObject, type Entity, type Json, type JsonObject } from '../../ports/index.ts'
import { hookError } from './fault.ts'
import { hooksOf, principalForHooks, shapeForHooks } from './head.ts'
import type { BeforeSave, HookFile, HookKind } from './hooks.ts'
import { HookTimeout, timeoutMsOf, withTimeLimit } from './time-limit.ts'

/** A save that its caller may make, with an input that has been validated. */
export interface SaveByInput {
  readonly kind: HookKind
  readonly operation: OperationName
  readonly endpoint: Endpoint
  readonly input: Readonly<Record<string, unknown>>
  readonly scope: Scope
  /** What is stored now; null if it is new. */
  readonly head: Entity | null
  readonly file?: HookFile | null
}

/**
 * Hooks that run at the same time in this process. A hook that saves something makes its own hook
 * run, and waits for it: one that does so without end stops here, within milliseconds. At half,
 * fewer callers can wait for a slow hook.
 */
const mostAtOnce = 200

/** Whether a kind has a hook `before`. */
export function hasBefore(call: Pick<Call, 'environment'>, kind: HookKind): boolean {
  return hooksOf(call, kind)?.before !== undefined
}

/**
 * Runs the hook `before` of a kind, if there is one, and returns the validated input with which to
 * save. Must not be called inside a transaction, which would wait for the hook. Errors: `invalid`,
 * also if the hook refuses; `unavailable` at its time limit; `too_many_requests`; `internal` for a
 * fault of the hook; the reason of the caller's signal.
 */
export async function runBefore(call: Call, save: SaveByInput): Promise<Record<string, unknown>> {
  const { endpoint, input } = save
  const { file, ...members } = input
  const changed = await changedMembers(call, save, asJson(members))
  if (changed === undefined) return input
  return checkInput(endpoint, file === undefined ? changed : { ...changed, file })
}

/** What the hook returns, as it would have been sent; undefined if it leaves the input as it is. */
async function changedMembers(
  call: Call,
  save: SaveByInput,
  members: JsonObject,
): Promise<JsonObject | undefined> {
  const hook = `${save.kind}.before`
  const release = call.shared.take('before hooks', mostAtOnce)
  try {
    const returned = await callHook(call, save, members)
    if (returned === undefined) return undefined
    const changed = asJson(returned)
    requireSameNames(save.endpoint, members, changed)
    return changed
  } catch (error) {
    call.signal?.throwIfAborted()
    if (!(error instanceof HookTimeout)) throw hookError(call, hook, error)
    const message = `The hook ${hook} did not end within ${timeoutMsOf(call.environment)} ms: nothing was saved.`
    throw new QuireError('unavailable', message, { cause: error })
  } finally {
    release()
  }
}

function callHook(
  call: Call,
  { kind, operation, scope, head, file = null }: SaveByInput,
  members: JsonObject,
): Promise<unknown> {
  const hooks = hooksOf(call, kind)
  return withTimeLimit<unknown>({ ms: timeoutMsOf(call.environment), signal: call.signal }, (signal) => {
    // The contract's types meet a loop over its names: the operation decides the input's type.
    const save = {
      kind,
      operation,
      input: deepFreeze(members),
      current: shapeForHooks(head),
      file,
      principal: principalForHooks(call),
      repositoryId: scope.repository.id,
      packageName: scope.package?.name ?? null,
      requestId: call.requestId,
      signal,
    } as unknown as BeforeSave
    return hooks?.before?.(save)
  })
}

/** A JSON object as it would arrive from a caller. Errors: TypeError for anything else. */
function asJson(value: unknown): JsonObject {
  const text = JSON.stringify(value)
  const copy: Json | undefined = text === undefined ? undefined : JSON.parse(text)
  if (isJsonObject(copy)) return copy
  throw new TypeError('A hook returns the whole input as a JSON object, or undefined to leave it as it is.')
}

/**
 * The members that name what is saved. They decide what the caller is checked on, so they stay as
 * they were sent. Errors: TypeError.
 */
function requireSameNames({ path }: Endpoint, sent: JsonObject, changed: JsonObject): void {
  for (const name of [...pathNames(path), 'configId', 'repositoryId', 'packageName', 'dryRun'])
    if (!isSame(sent[name], changed[name])) throw new TypeError(`A hook must not change ${name}.`)
}
