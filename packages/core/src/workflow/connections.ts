import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type WorkflowConnection,
} from '@quire/contract'
import { Presented } from '../call/answer.ts'
import { requireMatch, requirePermission, within, type Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import { recordTag, sentMembers } from '../call/records.ts'
import type { Stored, Transaction, WorkflowConnectionRecord } from '../ports/index.ts'
import { securityEvent } from '../security/audit.ts'
import {
  changedSecrets,
  isAllAnew,
  noSecrets,
  openedSecrets,
  sealedSecrets,
  shownSecrets,
  type ConnectionSecrets,
  type SentSecrets,
} from './connection-secrets.ts'
import { requireSoundConnection } from './sound-connection.ts'
import { isEnded } from './transitions.ts'

type Connections = Contract['workflowConnections']

/** All connections. Errors: `forbidden`. */
export async function listConnections(
  call: Call,
  input: ParsedOf<Connections['list']>,
): Promise<OutputOf<Connections['list']>> {
  requirePermission(call, 'admin.workflow.view')
  const page = pageOf(await call.store.records.list('workflowConnection'), input)
  return { ...page, items: page.items.map(shownConnection) }
}

/** One of them. Errors: `forbidden`, `not_found`. */
export async function getConnection(
  call: Call,
  { id }: ParsedOf<Connections['get']>,
): Promise<Presented<WorkflowConnection>> {
  requirePermission(call, 'admin.workflow.view')
  return presentConnection(await findConnection(call, id))
}

/** Keeps a connection. Errors: `forbidden`, `name_taken`; `invalid` for an address that may not be sent to, or a secret that is too short. */
export async function createConnection(
  call: Call,
  { auth, callback, ...said }: ParsedOf<Connections['create']>,
): Promise<Presented<WorkflowConnection>> {
  requirePermission(call, 'admin.workflow.update')
  requireSoundConnection(call, { ...said, auth, callback }, null)
  const { environment, now } = call
  const id = environment.ids.next('CONN')
  const secrets = { auth, callback, before: null }
  const kept = { sealedSecrets: await sealedSecrets(environment, id, secrets), ...shownSecrets(secrets) }
  const connection = { id, ...said, ...kept, createdDate: now, updatedDate: now }
  return call.transaction((tx) => stored(call, tx, { connection, before: null }))
}

/** Changes what is sent. Errors: `forbidden`, `not_found`, `name_taken`, `precondition_failed`, `invalid`. */
export async function updateConnection(
  call: Call,
  { id, auth, callback, ...patch }: ParsedOf<Connections['update']>,
): Promise<Presented<WorkflowConnection>> {
  requirePermission(call, 'admin.workflow.update')
  const { environment, now } = call
  // What is sealed anew is sealed before the transaction, in which nothing may be waited for.
  const known = await findConnection(call, id)
  const secrets = await secretsBefore(call, known, { auth, callback })
  requireSoundConnection(call, { ...patch, auth, callback }, { ...known, secrets })
  const changed = changedSecrets(secrets, { auth, callback }, now)
  const kept = { sealedSecrets: await sealedSecrets(environment, id, changed), ...shownSecrets(changed) }
  return call.transaction(async (tx) => {
    const before = await findConnection(within(call, tx), id)
    requireMatch(call, recordTag(before))
    if (before.revision !== known.revision) throw new QuireError('precondition_failed')
    const { revision: _revision, ...record } = before
    const connection = { ...record, ...sentMembers(patch), ...kept, updatedDate: now }
    return stored(call, tx, { connection, before })
  })
}

/**
 * The secrets that a change is made to. Under another server key they open no more: then all of them have to be given anew, which mends the
 * connection. Errors: `invalid`.
 */
async function secretsBefore(
  { environment }: Call,
  known: WorkflowConnectionRecord,
  sent: SentSecrets,
): Promise<ConnectionSecrets> {
  try {
    return await openedSecrets(environment, known)
  } catch (cause) {
    if (isAllAnew(sent)) return noSecrets
    const message =
      'What was set does not open under the keys of this service: send auth, callback.apiKey and callback.signingSecret anew.'
    throw new QuireError('invalid', message, { issues: [{ path: 'auth', message }], cause })
  }
}

/** Deletes a connection that nothing uses. Errors: `forbidden`, `not_found`, `precondition_failed`, `referenced`. */
export async function deleteConnection(
  call: Call,
  { id }: ParsedOf<Connections['delete']>,
): Promise<undefined> {
  requirePermission(call, 'admin.workflow.update')
  return call.transaction(async (tx) => {
    const found = await findConnection(within(call, tx), id)
    requireMatch(call, recordTag(found))
    await requireUnused(tx, id)
    await tx.records.delete('workflowConnection', id, found.revision)
    const change = { kind: 'workflowConnection', id, before: shownConnection(found) } as const
    await tx.journal.record(securityEvent(call, 'WORKFLOW_CONNECTION_DELETED', change))
    return undefined
  })
}

/** Errors: `not_found`. */
export async function findConnection(
  { store }: Pick<Call, 'store'>,
  id: string,
): Promise<Stored<'workflowConnection'>> {
  const found = await store.records.get('workflowConnection', id)
  if (!found) throw new QuireError('not_found', `There is no workflow connection "${id}".`)
  return found
}

async function requireUnused({ records }: Transaction, id: string): Promise<void> {
  const definitions = (await records.list('workflowDefinition')).filter((one) => one.connectionId === id)
  const running = (await records.list('workflow')).filter(
    ({ connectionId, info, pending }) =>
      connectionId === id && (pending?.isGivenUp === false || (info && !isEnded(info))),
  )
  if (definitions.length + running.length === 0) return
  const message = `${definitions.length} definitions name the connection, and ${running.length} workflows run on it.`
  throw new QuireError('referenced', message, {
    details: { definitions: definitions.slice(0, 100).map((one) => one.id), workflows: running.length },
  })
}

async function stored(
  call: Call,
  tx: Transaction,
  {
    connection,
    before,
  }: { connection: WorkflowConnectionRecord; before: Stored<'workflowConnection'> | null },
): Promise<Presented<WorkflowConnection>> {
  const kept = await tx.records.put('workflowConnection', connection, before?.revision ?? 0)
  const event = before ? 'WORKFLOW_CONNECTION_UPDATED' : 'WORKFLOW_CONNECTION_CREATED'
  const change = { before: before && shownConnection(before), after: shownConnection(kept) }
  await tx.journal.record(securityEvent(call, event, { kind: 'workflowConnection', id: kept.id, ...change }))
  return presentConnection(kept)
}

function presentConnection(kept: Stored<'workflowConnection'>): Presented<WorkflowConnection> {
  return new Presented(JSON.stringify(shownConnection(kept)), recordTag(kept))
}

/** A connection without its secrets. */
function shownConnection(kept: Stored<'workflowConnection'>): WorkflowConnection {
  const { sealedSecrets: _sealed, revision: _revision, ...connection } = kept
  return connection
}
