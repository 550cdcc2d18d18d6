import {
  QuireError,
  type CallOptions,
  type Endpoint,
  type Permission,
  endpoints,
  permissionKeysOf,
} from '@quire/contract'
import { requireUnexpired, resolveIdentity, type Identity, type Principal } from './engine/access/identity.ts'
import { withStoredFile } from './files/assets/intake.ts'
import { rememberAnswer } from './engine/remember-answer.ts'
import { valueOf, type Answer } from './engine/answer.ts'
import { inContext, type Call, type Running, notPermitted } from './engine/call.ts'
import { createCall } from './engine/create-call.ts'
import type { OperationName } from './engine/operation-name.ts'
import { checkInput } from './engine/check-input.ts'
import { logFailure, withErrorReports } from './engine/error-reports.ts'
import { translateError } from './engine/errors.ts'
import { answerIdempotently, idempotencyKeyOf, storedAnswer } from './engine/idempotency.ts'
import type { IdempotencyKey } from './engine/idempotency-key.ts'
import { dryRun } from './engine/dry-run.ts'
import { requireRoomFor } from './engine/room.ts'
import type { RequestHead, Request } from './engine/quire.ts'
import { requireOpenGraph } from './delivery/graphql/open.ts'
import { type AnyOperation, operations } from './operations.ts'
import { inSpan, isTraced, noTrace, traceOf, type Trace } from './engine/trace.ts'
import { isMetered, metered } from './metered.ts'
import { preparationOf } from './prepare-input.ts'
import { withTarget } from './targets.ts'
import { mayCall } from './engine/access/permissions.ts'
import { requireForReading } from './engine/access/reading.ts'

/**
 * Runs one call from any transport: identifies the caller, checks that they hold the required key
 * somewhere, validates the input, then runs the operation. Operations run other operations only by
 * `call.invoke`. Errors: QuireError with the request id; TokenError for the token endpoint.
 */
export function run(running: Running, request: Request): Promise<Answer<unknown>> {
  const { group, operation, principal, options = {}, origin } = request
  const requestId = options.requestId ?? running.environment.ids.next('REQ')
  if (!isTraced(origin?.trace)) return runTraced(running, request, { requestId, trace: noTrace })
  const name = `${group}.${operation}`
  const attributes = {
    'quire.operation': name,
    'quire.principal.kind': principal.kind,
    'quire.request.id': requestId,
  }
  return inSpan(traceOf(origin?.trace), { name, attributes }, (trace) =>
    runTraced(running, request, { requestId, trace }),
  )
}

/** What tells one request from the others. */
interface RequestIds {
  readonly requestId: string
  readonly trace: Trace
}

async function runTraced(running: Running, request: Request, ids: RequestIds): Promise<Answer<unknown>> {
  const { environment } = running
  const { options = {}, origin } = request
  const fail = (error: unknown) => logFailure(environment, translateError(error, ids.requestId), ids.trace)
  try {
    const entry = findOperation(request.group, request.operation)
    const { name, endpoint } = entry
    const identity = await identified(running, request.principal)
    const answer = (input: unknown) => answerTo(running, request, { entry, identity, ids, input, fail })
    if (!isMetered(identity, endpoint, origin)) return await answer(request.input)
    const call = openCall(running, request, { identity, endpoint, ids })
    return await metered(call, { name, input: request.input }, answer)
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw fail(error)
  }
}

interface IdentifiedRequest {
  readonly entry: OperationEntry
  readonly identity: Identity
  readonly ids: RequestIds
  readonly input: unknown
  readonly fail: (error: unknown) => Error
}

async function answerTo(
  running: Running,
  request: Request,
  { entry, identity, ids, input: sent, fail }: IdentifiedRequest,
): Promise<Answer<unknown>> {
  const { options = {} } = request
  const { endpoint } = entry
  requireForReading(identity, request.group)
  requireKey(identity, endpoint.permission)
  request.origin?.meter?.begin()
  const input = checkInput(endpoint, sent)
  options.signal?.throwIfAborted()
  const call = openCall(running, request, { identity, endpoint, ids })
  if (endpoint.method !== 'GET') await requireRoomFor(running.environment.store, endpoint, input)
  const stored = input['file'] === undefined ? input : await withStoredFile(call, endpoint, input)
  const current = stored === input ? call : await call.renewed()
  return withErrorReports(await perform(current, { ...entry, input: stored, options }), options, fail)
}

interface CallParts {
  readonly identity: Identity
  readonly endpoint: Endpoint
  readonly ids: RequestIds
}

/** The call of a request. */
function openCall(
  running: Running,
  { principal, options, origin = {}, cacheTags }: Request,
  { identity, endpoint, ids: { requestId, trace } }: CallParts,
): Call {
  return createCall({
    ...running,
    identity,
    principal,
    origin,
    permission: endpoint.permission,
    trace,
    cacheTags,
    options: { ...options, requestId },
    identify: () => identified(running, principal),
  })
}

/**
 * Checks the caller before the input has been read. Errors: `unauthorized`, `forbidden`,
 * `budget_exceeded`.
 */
export async function permit(running: Running, head: RequestHead): Promise<void> {
  const { name, endpoint } = findOperation(head.group, head.operation)
  const identity = await identified(running, head.principal)
  const { names, origin } = head
  const request = { ...head, input: names }
  const open = () => {
    const requestId = head.options?.requestId ?? running.environment.ids.next('REQ')
    return openCall(running, request, { identity, endpoint, ids: { requestId, trace: noTrace } })
  }
  try {
    requireForReading(identity, head.group)
    requireKey(identity, endpoint.permission)
    const { configId, packageName } = names
    if (endpoint.answer === 'graphql' && configId !== undefined)
      await requireOpenGraph(open(), { configId, packageName })
  } catch (error) {
    if (!isMetered(identity, endpoint, origin)) throw error
    // The call ends here.
    await metered(open(), { name, input: names }, () => Promise.reject(error))
  }
}

/** The caller's current identity. Errors: `unauthorized`. */
async function identified(running: Running, principal: Principal): Promise<Identity> {
  return requireUnexpired(await identify(running, principal), running.environment)
}

/**
 * The caller's current identity. Not async, because every call passes here and each promise adds a
 * turn of the microtask queue.
 */
function identify({ environment, memo }: Running, principal: Principal): Promise<Identity> {
  const { records } = environment.store
  if (principal.kind !== 'user' && principal.kind !== 'service') return resolveIdentity(records, principal)
  const key = `identity:${principal.kind}:${principal.id}:${principal.epoch ?? ''}:${principal.readsIn ?? ''}`
  return memo.get(records, key, () => resolveIdentity(records, principal))
}

/** An operation to run on an input that has been validated. */
interface CheckedOperation extends OperationEntry {
  readonly input: Record<string, unknown>
}

async function perform(
  call: Call,
  { options, ...work }: CheckedOperation & { readonly options: CallOptions },
): Promise<Answer<unknown>> {
  const isDryRun = work.input['dryRun'] === true && !work.endpoint.plansItself
  const key = isIdempotent(work.endpoint) && !isDryRun ? options.idempotencyKey : undefined
  // The key stands for what the caller sent, whatever the hooks make of it.
  const once = key === undefined ? undefined : await idempotencyKeyOf(call, { key, ...work })
  const isWhole = isDryRun || once !== undefined
  const prepare = call.environment.hooks && preparationOf(call, work, { isWhole })
  if (!prepare) return performPrepared(call, { work, isDryRun, once })
  const replayed = once && (await storedAnswer(call, once))
  if (replayed) return replayed
  const { call: current, input } = await prepare(call, work)
  return performPrepared(current, { work: { ...work, input }, isDryRun, once })
}

interface PreparedOperation {
  readonly work: CheckedOperation
  readonly isDryRun: boolean
  readonly once: IdempotencyKey | undefined
}

async function performPrepared(
  call: Call,
  { work, isDryRun, once }: PreparedOperation,
): Promise<Answer<unknown>> {
  if (isDryRun) return dryRun(call, async (inner) => valueOf(await operate(inner, work)))
  if (!once) return rememberAnswer(call, work, (call) => operate(call, work))
  if (work.endpoint.asksOthers) return operate({ ...call, once }, work)
  return answerIdempotently(call, once, (inner) => operate(inner, work))
}

/** Runs the operation on the target that its input names. */
function operate(call: Call, work: CheckedOperation): Promise<Answer<unknown>> {
  const { operation, input } = work
  return withTarget(inContext(call, input), work, (call, target) => operation(call, input, target))
}

/**
 * Whether an Idempotency-Key has an effect: only for operations that change something. A query sent
 * as POST is a read, and always gets a current answer.
 */
function isIdempotent({ errors }: Endpoint): boolean {
  return errors.includes('idempotency_mismatch')
}

/** Runs an operation within a call: see `Call.invoke`. */
export async function invoke(call: Call, name: OperationName, input: object): Promise<Answer<unknown>> {
  const [group = '', operationName = ''] = name.split('.')
  const entry = findOperation(group, operationName)
  const { endpoint } = entry
  requireForReading(call.identity, group)
  requireKey(call.identity, endpoint.permission)
  const checked = checkInput(endpoint, input)
  const inner: Call = { ...call, permission: endpoint.permission }
  if (call.prepared) return operate(inner, { ...entry, input: call.prepared(name, checked) })
  const work = { ...entry, input: checked }
  const prepare = call.environment.hooks && preparationOf(inner, work, { isWhole: false })
  const prepared = prepare && (await prepare(inner, work))
  return prepared ? operate(prepared.call, { ...work, input: prepared.input }) : operate(inner, work)
}

/**
 * Refuses a caller who does not hold any of the keys: globally, if the contract requires that,
 * otherwise anywhere at all. The operation checks again for the things that it works on. Errors:
 * `unauthorized`, `forbidden`.
 */
function requireKey(identity: Identity, permission: Permission): void {
  // Published content is open to some callers: the operations check whether the repository is public.
  if (permission === 'public' || permission === 'published') return
  if (identity.kind === 'anonymous') throw new QuireError('unauthorized')
  if (permission === 'authenticated') return
  if (!mayCall(identity.permissions, permission)) throw notPermitted(permissionKeysOf(permission))
}

interface OperationEntry {
  readonly name: OperationName
  readonly endpoint: Endpoint
  readonly operation: AnyOperation
}

// The documented border between the typed maps and the loop over names: both maps are type-checked
// where they are written.
const operationsByName = operations as unknown as Readonly<
  Record<string, Readonly<Record<string, AnyOperation>>>
>

/** Every endpoint with its operation, by group and name. */
const operationEntries = entriesByName()

function entriesByName(): ReadonlyMap<string, ReadonlyMap<string, OperationEntry>> {
  const groups = new Map<string, Map<string, OperationEntry>>()
  for (const { group, operation: name, endpoint } of endpoints) {
    const operation = operationsByName[group]?.[name]
    if (!operation) continue
    const named = groups.get(group) ?? new Map<string, OperationEntry>()
    const fullName = `${group}.${name}` as OperationName
    groups.set(group, named.set(name, { name: fullName, endpoint, operation }))
  }
  return groups
}

/** An operation of the contract. Errors: `not_found`. */
function findOperation(group: string, name: string): OperationEntry {
  const found = operationEntries.get(group)?.get(name)
  if (!found) throw new QuireError('not_found', `There is no operation ${group}.${name}.`)
  return found
}
