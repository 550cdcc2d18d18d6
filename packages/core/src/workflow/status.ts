import { QuireError, type Contract, type ParsedOf, type WorkflowOutcome } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { digest } from '../call/digest.ts'
import { keepAnswer } from '../call/idempotency.ts'
import { systemCall } from '../call/system-call.ts'
import { byIdOrName, packageKey } from '../lines/lines.ts'
import type {
  Stored,
  Transaction,
  WorkflowCallback,
  WorkflowConnectionRecord,
  WorkflowRecord,
} from '../ports/index.ts'
import { actionUrl } from './action-url.ts'
import { openedSecrets } from './connection-secrets.ts'
import { isKnownEngine, unknownEngine, type Credentials } from './credentials.ts'
import { outcomeOf, toldOutcome } from './outcome.ts'
import { keepReview } from './review.ts'
import { called, calledEvent } from './transitions.ts'

type Input = ParsedOf<Contract['workflow']['status']>

/** Ms for which a callback is remembered: twice as long as its signature counts. */
const remembered = 10 * 60 * 1000

/** Callbacks that wait for an answer, of one workflow. */
const mostHeld = 100

/**
 * Takes what an engine tells of a workflow (specification 3.2, 4.8). While it is being asked something, that waits for its answer.
 * Errors: `unauthorized`; `workflow_mismatch` for another instance, `invalid_state` after the end, `unavailable` when too much waits.
 */
export async function tellStatus(call: Call, input: Input): Promise<WorkflowOutcome> {
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
  return engine.transaction(async (tx) => {
    const before = await tx.records.get('workflow', id)
    const connection = before && known.get(connectionFor(before, members))
    if (!before || !connection) throw unknownEngine()
    for (const name of await messageNames(connection, { messageId, ...credentials }))
      if (!(await isFirst(engine, tx, name)))
        return toldOutcome(before.info, 'This was told before: it counted then.')
    return tell(within(engine, tx), tx, { before, said: callbackOf(connection, members) })
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

interface Told {
  readonly before: Stored<'workflow'>
  readonly said: WorkflowCallback
}

async function tell(call: Call, tx: Transaction, { before, said }: Told): Promise<WorkflowOutcome> {
  if (await isOfAnotherPackage(tx, { before, said })) throw new QuireError('workflow_mismatch')
  const next = called(before, { said, at: call.now })
  if (next === 'held') return hold(tx, { before, said })
  if (next === 'mismatch') throw new QuireError('workflow_mismatch')
  if (next === 'ended')
    throw new QuireError('invalid_state', `The workflow has ended: it is ${before.info?.status}.`)
  if (next === 'same') return toldOutcome(before.info, 'This is known already.')
  const event = calledEvent(before, next)
  await keepReview(call, tx, { before, after: next, moves: [{ event, record: next }] })
  const { pending } = before
  // What was asked is settled by it: whoever asked, and was not told, asks again with the same Idempotency-Key.
  if (pending && event === 'start')
    for (const once of pending.once)
      await keepAnswer(call, tx, { once, answer: outcomeOf(pending.event, next.info) })
  return toldOutcome(next.info)
}

/** Whether an instance is that of another package, of one that is gone by the same name, say. */
async function isOfAnotherPackage({ records }: Transaction, { before, said }: Told): Promise<boolean> {
  const { workflowInstanceId } = said
  if (before.info?.workflowInstanceId === workflowInstanceId) return false
  const others = (await records.list('workflow')).filter(({ id }) => id !== before.id)
  return others.some(
    ({ connectionId, info }) =>
      connectionId === (before.pending?.connectionId ?? before.connectionId) &&
      info?.history.some(({ externalReference }) => externalReference === workflowInstanceId),
  )
}

/** A callback that came before the answer to what the engine is being asked counts after it. */
async function hold({ records }: Transaction, { before, said }: Told): Promise<WorkflowOutcome> {
  const { revision, ...record } = before
  if (record.held.length >= mostHeld)
    throw new QuireError('unavailable', 'Too much waits for the answer of the engine.')
  await records.put('workflow', { ...record, held: [...record.held, said] }, revision)
  return toldOutcome(record.info, 'It counts once the engine has answered what it is being asked.')
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
  said: Omit<Input, 'apiKey' | 'signature' | 'messageId' | 'repositoryId' | 'packageName'>,
): WorkflowCallback {
  const { workflowInstanceId, currentStep, status, nextActionUrl, assignee, comment, metadata } = said
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
async function isFirst({ now }: Call, { ephemera }: Transaction, name: string): Promise<boolean> {
  if ((await ephemera.get(name, now)) !== null) return false
  await ephemera.put(name, '1', now + remembered)
  return true
}
