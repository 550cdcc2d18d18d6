import { QuireError, type Contract, type ParsedOf, type WorkflowOutcome } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { digest, macOf, isEqualInTime } from '../../engine/digest.ts'
import { storeAnswer } from '../../engine/idempotency.ts'
import { systemCall } from '../../engine/system-call.ts'
import { byIdOrName, packageKey } from '../../engine/scope.ts'
import type { Stored, Transaction } from '../../ports/index.ts'
import type { WorkflowCallback, WorkflowConnectionRecord, WorkflowRecord } from './records.ts'
import { storeReview } from './review.ts'
import { actionUrl, outcomeOf, reportedOutcome } from './outcome.ts'
import {
  openedSecrets,
  liveSecrets,
  type CallbackSecrets,
  type ConnectionSecrets,
} from './connection-secrets.ts'
import { called, calledEvent } from './transitions.ts'

type Input = ParsedOf<Contract['workflow']['status']>

/** Ms for which a callback is remembered: twice as long as its signature counts. */
const remembered = 10 * 60 * 1000

/** Callbacks that wait for an answer, of one workflow. */
const mostHeld = 100

/**
 * Takes what an engine tells of a workflow (specification 3.2, 4.8). While it is being asked something, that waits for its answer.
 * After the merge of the package it adds to the history alone. Errors: `unauthorized`; `workflow_mismatch` for another instance, `unavailable` when too much waits.
 */
export async function applyStatus(call: Call, input: Input): Promise<WorkflowOutcome> {
  const { apiKey, signature, messageId, repositoryId, packageName, ...members } = input
  const { id, connections } = await findReviewed(call, { repositoryId, packageName })
  const signed = { repositoryId, packageName, ...members }
  const credentials = { apiKey, signature, body: call.origin.body ?? JSON.stringify(signed) }
  const known = await knownBy(call, connections, credentials)
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
      if (!(await isFirst(engine, name)))
        return reportedOutcome(before.info, 'This was told before: it counted then.')
    return notify(engine, { before, given: callbackOf(connection, members) })
  })
}

/** Those of some connections that the credentials are of, by id. Errors: `unauthorized` when there is none. */
async function knownBy(
  call: Call,
  connections: readonly Stored<'workflowConnection'>[],
  credentials: Credentials,
): Promise<ReadonlyMap<string, Stored<'workflowConnection'>>> {
  const known = new Map<string, Stored<'workflowConnection'>>()
  for (const connection of connections) {
    // What does not open knows nobody.
    const secrets = await openedSecrets(call.environment, connection).catch(() => null)
    if (secrets && (await isKnownEngine(call, secrets, credentials))) known.set(connection.id, connection)
  }
  if (known.size === 0) throw unknownEngine()
  return known
}

/** The connection that may tell of an instance: of one that is being started, the one that is asked. */
function connectionFor(
  { connectionId, info, pending }: WorkflowRecord,
  { workflowInstanceId }: Pick<Input, 'workflowInstanceId'>,
): string {
  const isKnown = info?.workflowInstanceId === workflowInstanceId
  return pending?.event === 'start' && !isKnown ? pending.connectionId : connectionId
}

interface ReportedStatus {
  readonly before: Stored<'workflow'>
  readonly given: WorkflowCallback
}

async function notify(call: WriteCall, { before, given }: ReportedStatus): Promise<WorkflowOutcome> {
  if (await isOfAnotherPackage(call.store, { before, given })) throw new QuireError('workflow_mismatch')
  const isMerged = (await call.store.records.get('package', before.id))?.state === 'merged'
  const next = called(before, { given, at: call.now, isMerged })
  if (next === 'held') return hold(call.store, { before, given })
  if (next === 'mismatch') throw new QuireError('workflow_mismatch')
  if (next === 'same') return reportedOutcome(before.info, 'This is known already.')
  const event = calledEvent(before, next)
  await storeReview(call, { before, after: next, moves: [{ event, record: next }] })
  const { pending } = before
  // What was asked is settled by it: whoever asked, and was not told, asks again with the same Idempotency-Key.
  if (pending && event === 'start')
    for (const once of pending.once)
      await storeAnswer(call, { once, answer: outcomeOf(pending.event, next.info) })
  return reportedOutcome(next.info, isMerged ? 'The package is merged: it is in the history.' : undefined)
}

/** Whether an instance is that of another package, of one that is gone by the same name, say. */
async function isOfAnotherPackage(
  { records }: Transaction,
  { before, given }: ReportedStatus,
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

/** A callback that came before the answer to what the engine is being asked counts after it. */
async function hold({ records }: Transaction, { before, given }: ReportedStatus): Promise<WorkflowOutcome> {
  const { revision, ...record } = before
  if (record.held.length >= mostHeld)
    throw new QuireError('unavailable', 'Too much waits for the answer of the engine.')
  await records.put('workflow', { ...record, held: [...record.held, given] }, revision)
  return reportedOutcome(record.info, 'It counts once the engine has answered what it is being asked.')
}

/** The workflow of a package with its connections, for nobody in particular yet. Errors: `unauthorized`, whatever is not there. */
async function findReviewed(
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

/** What is said, as far as it counts. An address that credentials may not go to is none (TRUST S01). */
function callbackOf(
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

/** Under what a message is remembered: its id, where it has one, and a signature, which is of a time. */
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

/** Whether a message comes for the first time. */
async function isFirst({ now, store: { ephemera } }: WriteCall, name: string): Promise<boolean> {
  if ((await ephemera.get(name, now)) !== null) return false
  await ephemera.put(name, '1', now + remembered)
  return true
}

/** What a callback brings to be known by (specification 5.3). */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly signature?: string | undefined
  /** The text of its body. */
  readonly body: string
}

/** Seconds by which the time of a signature may differ from ours. */
const tolerance = 300

/**
 * Whether a callback comes from the engine of a connection: by its key, or by a signature of its body. What is brought has to be right, all of
 * it.
 */
export async function isKnownEngine(
  { now }: Pick<Call, 'now'>,
  secrets: ConnectionSecrets,
  { apiKey, signature, body }: Credentials,
): Promise<boolean> {
  const live = liveSecrets(secrets, now)
  const isKey = apiKey === undefined || (await isKeyOf(live, apiKey))
  const isSigned = signature === undefined || (await isSignedBy(live, { signature, body, now }))
  return (apiKey !== undefined || signature !== undefined) && isKey && isSigned
}

/** The error for whoever is not known: one and the same, whatever is wrong. */
export function unknownEngine(): QuireError {
  const message =
    'No workflow that you may tell of runs on that package: send the X-API-Key or X-Webhook-Signature of the connection that it runs on.'
  return new QuireError('unauthorized', message)
}

/** Digests are compared: how alike two keys begin does not show in the time. */
async function isKeyOf(live: readonly CallbackSecrets[], apiKey: string): Promise<boolean> {
  const given = await digest(apiKey)
  const keys = await Promise.all(live.flatMap((one) => (one.apiKey === null ? [] : digest(one.apiKey))))
  return keys.some((key) => isEqualInTime(key, given))
}

interface Signed {
  readonly signature: string
  readonly body: string
  readonly now: number
}

const signatureForm = /^t=(?<time>\d{1,12}),v1=(?<mac>[0-9a-f]{64})$/

async function isSignedBy(
  live: readonly CallbackSecrets[],
  { signature, body, now }: Signed,
): Promise<boolean> {
  const { time, mac } = signatureForm.exec(signature)?.groups ?? {}
  if (time === undefined || mac === undefined) return false
  if (Math.abs(now / 1000 - Number(time)) > tolerance) return false
  const secrets = live.flatMap(({ signingSecret }) => signingSecret ?? [])
  const macs = await Promise.all(secrets.map((secret) => macOf(secret, `${time}.${body}`)))
  return macs.some((one) => isEqualInTime(one, mac))
}
