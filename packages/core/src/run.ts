import {
  endpoints,
  QuireError,
  type CallOptions,
  type Endpoint,
  type Permission,
  type TokenError,
} from '@quire/contract'
import { resolveIdentity, type Identity, type Who } from './access/identity.ts'
import { mayDoSomewhere } from './access/permissions.ts'
import { withKeptFile } from './assets/intake.ts'
import { valueOf, type Answer } from './call/answer.ts'
import { createCall, notPermitted, saying, type Call } from './call/call.ts'
import { checkInput } from './call/check-input.ts'
import type { Environment } from './call/environment.ts'
import { translateError } from './call/errors.ts'
import { answerOnce, onceKey } from './call/idempotency.ts'
import type { Memo } from './call/memo.ts'
import { rehearse } from './call/rehearse.ts'
import { ServedBytes } from './call/served-bytes.ts'
import { ServedEvents } from './call/served-events.ts'
import { ServedPassed } from './call/served-passed.ts'
import type { Shared } from './call/shared.ts'
import type { Request } from './engine.ts'
import { BlobCorrupt } from './ports/index.ts'
import { operations, type AnyOperation } from './operations.ts'

/** What all calls of one engine share. */
export interface Running {
  readonly environment: Environment
  readonly memo: Memo
  readonly shared: Shared
}

/**
 * One call, whoever makes it: the caller is known, the key is held somewhere, the input is right; then the operation.
 * There is no other way to an operation. Errors: QuireError with the request id; TokenError of the token endpoint.
 */
export async function run(running: Running, request: Request): Promise<Answer<unknown>> {
  const { environment, memo, shared } = running
  const options = request.options ?? {}
  const requestId = options.requestId ?? environment.ids.next('REQ')
  try {
    const { endpoint, operation } = findOperation(request.group, request.operation)
    const identity = requireUnexpired(await identify(running, request.who), environment)
    requireKeySomewhere(identity, endpoint.permission)
    const input = checkInput(endpoint, request.input)
    options.signal?.throwIfAborted()
    const origin = request.origin ?? {}
    const call = createCall({
      environment,
      memo,
      shared,
      identity,
      who: request.who,
      origin,
      options: { ...options, requestId },
      identify: async () => requireUnexpired(await identify(running, request.who), environment),
    })
    const kept = await withKeptFile(call, endpoint, input)
    const current = kept === input ? call : await call.renewed()
    const answer = await perform(saying(current, kept), { endpoint, operation, input: kept, options })
    const report = (error: unknown) => reported(environment, translateError(error, requestId))
    return served(answer, options, report)
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw reported(environment, translateError(error, requestId))
  }
}

/** An answer that is read while it comes tells what it fails at then, too. Any other as it is. */
function served(
  answer: Answer<unknown>,
  { signal, range }: CallOptions,
  report: (error: unknown) => Error,
): Answer<unknown> {
  if (answer instanceof ServedEvents) return answer.watched({ signal, report })
  // What fails because who asked is gone is nobody's fault.
  const reportHeard = (error: unknown) => (signal?.aborted && error instanceof Error ? error : report(error))
  if (answer instanceof ServedPassed) return answer.reporting(reportHeard)
  if (!(answer instanceof ServedBytes)) return answer
  const bytes = answer.reporting(reportHeard)
  return range ? bytes.part(range) : bytes
}

/** Who calls, as of now. Not async: every call passes here, and each promise in its way is one more turn of the queue. */
function identify({ environment, memo }: Running, who: Who): Promise<Identity> {
  const { records } = environment.store
  if (who.kind !== 'user' && who.kind !== 'service') return resolveIdentity(records, who)
  const key = `identity:${who.kind}:${who.id}:${who.epoch ?? ''}`
  return memo.get(records, key, () => resolveIdentity(records, who))
}

function requireUnexpired(identity: Identity, { clock }: Environment): Identity {
  const { expiresAt } = identity
  if (expiresAt !== null && expiresAt <= clock.now()) throw new QuireError('unauthorized')
  return identity
}

function requireKeySomewhere(identity: Identity, permission: Permission): void {
  // What is published is open to some: the operations look whether the repository is public.
  if (permission === 'public' || permission === 'published') return
  if (identity.kind === 'anonymous') throw new QuireError('unauthorized')
  if (permission === 'authenticated') return
  const keys = typeof permission === 'string' ? [permission] : permission
  if (keys.some((key) => mayDoSomewhere(identity.permissions, key))) return
  throw notPermitted(keys)
}

interface Work {
  readonly endpoint: Endpoint
  readonly operation: AnyOperation
  readonly input: Record<string, unknown>
  readonly options: CallOptions
}

function perform(call: Call, work: Work): Promise<Answer<unknown>> {
  const { endpoint, operation, input, options } = work
  if (input['dryRun'] === true) return rehearse(call, async (inner) => valueOf(await operation(inner, input)))
  const key = isDoneOnce(endpoint) ? options.idempotencyKey : undefined
  if (key === undefined) return operation(call, input)
  return performOnce(call, key, work)
}

async function performOnce(
  call: Call,
  key: string,
  { endpoint, operation, input }: Work,
): Promise<Answer<unknown>> {
  const once = await onceKey(call, { key, endpoint, input })
  if (endpoint.asksOthers) return operation({ ...call, once }, input)
  return answerOnce(call, once, (inner) => operation(inner, input))
}

/** Whether an Idempotency-Key counts: of what is done. A query that is sent as POST is a read, and is answered as of now. */
function isDoneOnce({ errors }: Endpoint): boolean {
  return errors.includes('idempotency_mismatch')
}

interface Performed {
  readonly endpoint: Endpoint
  readonly operation: AnyOperation
}

// The documented border between the typed maps and the loop over names: both maps are checked where they are written.
const operationsByName = operations as unknown as Readonly<
  Record<string, Readonly<Record<string, AnyOperation>>>
>

/** Every endpoint with what it does, by group and operation. */
const performed = performedByName()

function performedByName(): ReadonlyMap<string, ReadonlyMap<string, Performed>> {
  const groups = new Map<string, Map<string, Performed>>()
  for (const { group, operation: name, endpoint } of endpoints) {
    const operation = operationsByName[group]?.[name]
    if (!operation) continue
    const named = groups.get(group) ?? new Map<string, Performed>()
    groups.set(group, named.set(name, { endpoint, operation }))
  }
  return groups
}

function findOperation(group: string, name: string): Performed {
  const found = performed.get(group)?.get(name)
  if (!found) throw new QuireError('not_found', `There is no operation ${group}.${name}.`)
  return found
}

function reported<E extends QuireError | TokenError>(environment: Environment, error: E): E {
  if (error instanceof QuireError && error.status >= 500) {
    const cause =
      error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause)
    const event = error.cause instanceof BlobCorrupt ? 'blob.corrupt' : 'call.failed'
    environment.log.write('error', event, {
      requestId: error.requestId,
      message: error.message,
      cause,
    })
  }
  return error
}
