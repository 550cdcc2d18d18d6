import { QuireError, type Contract, type ParsedOf, type WorkflowOutcome } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { digest, macOf, isEqualInTime } from '../../engine/digest.ts'
import { storeAnswer } from '../../engine/idempotency.ts'
import { systemCall } from '../../engine/system-call.ts'
import { byIdOrName, packageKey } from '../../engine/scope.ts'
import type { Stored, Transaction } from '../../ports/index.ts'
import type { WorkflowCallback, WorkflowConnectionRecord, WorkflowRecord } from './records.ts'
import { storeReview } from './review.ts'
import { actionUrl, outcomeOf, callbackOutcome } from './outcome.ts'
import {
  openSecrets,
  findLiveSecrets,
  type CallbackSecrets,
  type ConnectionSecrets,
} from './connection-secrets.ts'
import { applyCallback, eventOfCallback } from './transitions.ts'

type Input = ParsedOf<Contract['workflow']['status']>

/** Milliseconds for which a callback is remembered: twice as long as its signature is valid. */
const rememberedMs = 10 * 60 * 1000

/** Callbacks of one workflow that may wait for an answer. */
const mostHeld = 100

/**
 * Applies a status that an engine reports for a workflow (specification 3.2, 4.8). While an action
 * is pending, the status waits for its answer. After the merge of the package it is only added to
 * the history. Errors: `unauthorized`; `workflow_mismatch` for another instance; `unavailable` when
 * too many callbacks are waiting.
 */
export async function applyStatus(call: Call, input: Input): Promise<WorkflowOutcome> {
  const { apiKey, signature, messageId, repositoryId, packageName, ...members } = input
  const { id, connections } = await findReview(call, { repositoryId, packageName })
  const signed = { repositoryId, packageName, ...members }
  const credentials = { apiKey, signature, body: call.origin.body ?? JSON.stringify(signed) }
  const known = await authenticate(call, connections, credentials)
  const engine: Call = {
    ...systemCall(call, 'workflow', call.requestId),
    origin: call.origin,
    ...(members.comment !== undefined && { comment: members.comment }),
  }
  return engine.write(async (engine) => {
    const before = await engine.store.records.get('workflow', id)
    const connection = before && known.get(connectionFor(before, members))
    if (!before || !connection) throw unknownEngine()
    for (const name of await messageNames(connection, { messageId, ...credentials }))
      if (!(await rememberMessage(engine, name)))
        return callbackOutcome(before.info, 'This callback was already received and applied.')
    return applyReport(engine, { before, given: createCallback(connection, members) })
  })
}

/**
 * The connections for which the credentials are valid, by id. Errors: `unauthorized` if there are
 * none.
 */
async function authenticate(
  call: Call,
  connections: readonly Stored<'workflowConnection'>[],
  credentials: Credentials,
): Promise<ReadonlyMap<string, Stored<'workflowConnection'>>> {
  const known = new Map<string, Stored<'workflowConnection'>>()
  for (const connection of connections) {
    // A connection whose secrets cannot be opened authenticates nobody.
    const secrets = await openSecrets(call.environment, connection).catch(() => null)
    if (secrets && (await isAuthentic(call, secrets, credentials))) known.set(connection.id, connection)
  }
  if (known.size === 0) throw unknownEngine()
  return known
}

/**
 * The id of the connection that may report on an instance. For one that is being started, it is
 * that of the pending start.
 */
function connectionFor(
  { connectionId, info, pending }: WorkflowRecord,
  { workflowInstanceId }: Pick<Input, 'workflowInstanceId'>,
): string {
  const isKnown = info?.workflowInstanceId === workflowInstanceId
  return pending?.event === 'start' && !isKnown ? pending.connectionId : connectionId
}

interface StatusReport {
  readonly before: Stored<'workflow'>
  readonly given: WorkflowCallback
}

async function applyReport(call: WriteCall, { before, given }: StatusReport): Promise<WorkflowOutcome> {
  if (await isOfAnotherPackage(call.store, { before, given })) throw new QuireError('workflow_mismatch')
  const isMerged = (await call.store.records.get('package', before.id))?.state === 'merged'
  const next = applyCallback(before, { given, at: call.now, isMerged })
  if (next === 'held') return hold(call.store, { before, given })
  if (next === 'mismatch') throw new QuireError('workflow_mismatch')
  if (next === 'same') return callbackOutcome(before.info, 'This status is already known.')
  const event = eventOfCallback(before, next)
  await storeReview(call, { before, after: next, moves: [{ event, record: next }] })
  const { pending } = before
  // The callback resolves the pending start. Callers that got no answer get this one if they repeat
  // their Idempotency-Key.
  if (pending && event === 'start')
    for (const once of pending.once)
      await storeAnswer(call, { once, answer: outcomeOf(pending.event, next.info) })
  return callbackOutcome(
    next.info,
    isMerged ? 'The package is merged. The status was only added to the history.' : undefined,
  )
}

/**
 * Whether an instance belongs to another package, for example to a deleted one of the same name.
 */
async function isOfAnotherPackage(
  { records }: Transaction,
  { before, given }: StatusReport,
): Promise<boolean> {
  const { workflowInstanceId } = given
  if (before.info?.workflowInstanceId === workflowInstanceId) return false
  const others = (await records.list('workflow')).filter(({ id }) => id !== before.id)
  return others.some(
    ({ connectionId, info }) =>
      connectionId === (before.pending?.connectionId ?? before.connectionId) &&
      info?.history.some(({ externalReference }) => externalReference === workflowInstanceId),
  )
}

/**
 * Stores a callback that arrived while an action is pending. It is applied after the answer to that
 * action.
 */
async function hold({ records }: Transaction, { before, given }: StatusReport): Promise<WorkflowOutcome> {
  const { revision, ...record } = before
  if (record.held.length >= mostHeld)
    throw new QuireError('unavailable', 'Too many callbacks are waiting for the answer of the engine.')
  await records.put('workflow', { ...record, held: [...record.held, given] }, revision)
  return callbackOutcome(
    record.info,
    'The status will be applied when the engine has answered the pending request.',
  )
}

/**
 * The workflow of a package with its connections, before authentication. Errors: `unauthorized`,
 * whatever is missing.
 */
async function findReview(
  { store: { records } }: Call,
  { repositoryId, packageName }: Pick<Input, 'repositoryId' | 'packageName'>,
): Promise<{ id: string; connections: readonly Stored<'workflowConnection'>[] }> {
  const repository = await byIdOrName(records, 'repository', repositoryId)
  const found = repository && (await records.find('package', packageKey(repository.id, packageName)))
  const record = found && (await records.get('workflow', found.id))
  if (!record) throw unknownEngine()
  const ids = new Set([record.connectionId, record.pending?.connectionId ?? record.connectionId])
  const connections = await Promise.all([...ids].map((id) => records.get('workflowConnection', id)))
  return { id: record.id, connections: connections.filter((one) => one !== null) }
}

/**
 * A URL for the next action to which the credentials may not be sent counts as none (TRUST S01).
 */
function createCallback(
  connection: WorkflowConnectionRecord,
  given: Omit<Input, 'apiKey' | 'signature' | 'messageId' | 'repositoryId' | 'packageName'>,
): WorkflowCallback {
  const { workflowInstanceId, currentStep, status, nextActionUrl, assignee, comment, metadata } = given
  return {
    workflowInstanceId,
    currentStep,
    status,
    ...(nextActionUrl !== undefined && {
      nextActionUrl: nextActionUrl === null ? null : actionUrl(connection, nextActionUrl),
    }),
    ...(assignee !== undefined && { assignee }),
    ...(comment !== undefined && { comment }),
    ...(metadata !== undefined && { metadata }),
  }
}

/**
 * The names under which a callback is remembered: its message id and its signature, if it has them.
 */
async function messageNames(
  { id }: WorkflowConnectionRecord,
  { messageId, signature, body }: Credentials & { messageId: string | undefined },
): Promise<readonly string[]> {
  const texts = [
    ...(messageId === undefined ? [] : [`id ${messageId}`]),
    ...(signature === undefined ? [] : [`${signature}\n${body}`]),
  ]
  return Promise.all(texts.map(async (text) => `callback:${id}:${await digest(text)}`))
}

/** Remembers a message. Returns false if it was already remembered. */
async function rememberMessage({ now, store: { ephemera } }: WriteCall, name: string): Promise<boolean> {
  if ((await ephemera.get(name, now)) !== null) return false
  await ephemera.put(name, '1', now + rememberedMs)
  return true
}

/** The credentials of a callback (specification 5.3). */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly signature?: string | undefined
  /** The text of its body, which the signature covers. */
  readonly body: string
}

/** Seconds by which the time of a signature may differ from the current time. */
const tolerance = 300

/**
 * Whether a callback comes from the engine of a connection, by its key or by a signature of its
 * body. If both are sent, both have to be valid.
 */
export async function isAuthentic(
  { now }: Pick<Call, 'now'>,
  secrets: ConnectionSecrets,
  { apiKey, signature, body }: Credentials,
): Promise<boolean> {
  const live = findLiveSecrets(secrets, now)
  const isKey = apiKey === undefined || (await isKeyOf(live, apiKey))
  const isSigned = signature === undefined || (await isSignedBy(live, { signature, body, now }))
  return (apiKey !== undefined || signature !== undefined) && isKey && isSigned
}

/**
 * The error for a callback that cannot be authenticated. It is always the same, so that it does not
 * reveal what exists.
 */
export function unknownEngine(): QuireError {
  const message =
    'The package has no workflow that you may report on: send the X-API-Key or X-Webhook-Signature of its connection.'
  return new QuireError('unauthorized', message)
}

/** Compares digests, so that the time does not depend on how many characters match. */
async function isKeyOf(live: readonly CallbackSecrets[], apiKey: string): Promise<boolean> {
  const given = await digest(apiKey)
  const keys = await Promise.all(live.flatMap((one) => (one.apiKey === null ? [] : digest(one.apiKey))))
  return keys.some((key) => isEqualInTime(key, given))
}

interface SignedBody {
  readonly signature: string
  readonly body: string
  readonly now: number
}

const signatureForm = /^t=(?<time>\d{1,12}),v1=(?<mac>[0-9a-f]{64})$/

async function isSignedBy(
  live: readonly CallbackSecrets[],
  { signature, body, now }: SignedBody,
): Promise<boolean> {
  const { time, mac } = signatureForm.exec(signature)?.groups ?? {}
  if (time === undefined || mac === undefined) return false
  if (Math.abs(now / 1000 - Number(time)) > tolerance) return false
  const secrets = live.flatMap(({ signingSecret }) => signingSecret ?? [])
  const macs = await Promise.all(secrets.map((secret) => macOf(secret, `${time}.${body}`)))
  return macs.some((one) => isEqualInTime(one, mac))
}
