import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type WorkflowConnection,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { recordsOf, plainRecord, sentMembers } from '../../engine/record-rules.ts'
import type { WorkflowConnectionRecord } from './records.ts'
import { auditEntry } from '../../people/audit.ts'
import {
  changedSecrets,
  isAllAnew,
  noSecrets,
  openedSecrets,
  sealedSecrets,
  redactedSecrets,
  type ConnectionSecrets,
  type SentSecrets,
  secretOf,
} from './connection-secrets.ts'
import { isEnded } from './transitions.ts'
import { authHeaders, authIssue, baseUrlProblem } from '../../engine/upstream.ts'
import { invalid, issueAt } from '../../engine/check-input.ts'
import { redacted } from '../../engine/redacted.ts'
import { type Stored, type Transaction, OutboundFailure } from '../../ports/index.ts'

type Connections = Contract['workflowConnections']

const records = recordsOf({
  kind: 'workflowConnection',
  called: 'workflow connection',
  events: {
    created: 'WORKFLOW_CONNECTION_CREATED',
    updated: 'WORKFLOW_CONNECTION_UPDATED',
    deleted: 'WORKFLOW_CONNECTION_DELETED',
  },
  entry: auditEntry('workflowConnection', withoutSecrets),
  serialize: (stored): WorkflowConnection => withoutSecrets(plainRecord(stored)),
})

function withoutSecrets<C extends WorkflowConnectionRecord>({ sealedSecrets: _sealed, ...visible }: C) {
  return visible
}

/** All connections. Errors: `forbidden`. */
async function listConnections(
  call: Call,
  input: ParsedOf<Connections['list']>,
): Promise<OutputOf<Connections['list']>> {
  requirePermission(call, 'admin.workflow.view')
  return records.page(await call.store.records.list('workflowConnection'), input)
}

/** One of them. Errors: `forbidden`, `not_found`. */
async function getConnection(
  call: Call,
  { id }: ParsedOf<Connections['get']>,
): Promise<Serialized<WorkflowConnection>> {
  requirePermission(call, 'admin.workflow.view')
  return records.serialize(await findConnection(call, id))
}

/** Keeps a connection. Errors: `forbidden`, `name_taken`; `invalid` for an address that may not be sent to, or a secret that is too short. */
async function createConnection(
  call: Call,
  { auth, callback, ...given }: ParsedOf<Connections['create']>,
): Promise<Serialized<WorkflowConnection>> {
  requirePermission(call, 'admin.workflow.update')
  requireSoundConnection(call, { ...given, auth, callback }, null)
  const { environment, now } = call
  const id = environment.ids.next('CONN')
  const secrets = { auth, callback, before: null }
  const current = {
    sealedSecrets: await sealedSecrets(environment, id, secrets),
    ...redactedSecrets(secrets),
  }
  const after = { id, ...given, ...current, createdDate: now, updatedDate: now }
  return call.write(async (call) => records.serialize(await records.put(call, { before: null, after })))
}

/** Changes what is sent. Errors: `forbidden`, `not_found`, `name_taken`, `precondition_failed`, `invalid`. */
async function updateConnection(
  call: Call,
  { id, auth, callback, ...patch }: ParsedOf<Connections['update']>,
): Promise<Serialized<WorkflowConnection>> {
  requirePermission(call, 'admin.workflow.update')
  const { environment, now } = call
  // What is sealed anew is sealed before the transaction, in which nothing may be waited for.
  const known = await findConnection(call, id)
  const secrets = await secretsBefore(call, known, { auth, callback })
  requireSoundConnection(call, { ...patch, auth, callback }, { ...known, secrets })
  const changed = changedSecrets(secrets, { auth, callback }, now)
  const current = {
    sealedSecrets: await sealedSecrets(environment, id, changed),
    ...redactedSecrets(changed),
  }
  return call.write(async (call) => {
    const before = await records.require(call, id)
    if (before.revision !== known.revision) throw new QuireError('precondition_failed')
    const after = { ...plainRecord(before), ...sentMembers(patch), ...current, updatedDate: now }
    return records.serialize(await records.put(call, { before, after }))
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
async function deleteConnection(call: Call, { id }: ParsedOf<Connections['delete']>): Promise<undefined> {
  requirePermission(call, 'admin.workflow.update')
  return call.write(async (call) => {
    const found = await records.require(call, id)
    await requireUnused(call.store, id)
    return records.remove(call, found)
  })
}

/** Errors: `not_found`. */
function findConnection(call: Pick<Call, 'store'>, id: string): Promise<Stored<'workflowConnection'>> {
  return records.find(call, id)
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

type Test = Contract['workflowConnections']['test']

/** Tries whether the engine of a connection answers and lets us in. Errors: `forbidden`, `not_found`. */
async function testConnection(call: Call, { id }: ParsedOf<Test>): Promise<OutputOf<Test>> {
  requirePermission(call, 'admin.workflow.update')
  const connection = await findConnection(call, id)
  const { auth } = await openedSecrets(call.environment, connection)
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const { status } = await call.environment.outbound.send({
      url: connection.baseUrl,
      method: 'GET',
      headers: authHeaders(auth),
      body: null,
      connectMs: connection.timeoutMs,
      totalMs: connection.timeoutMs,
      maxAnswerBytes: 1024,
    })
    return { ok: isIn(status), status, ms: took(), message: messageOf(status) }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { ok: false, status: null, ms: took(), message: error.message }
  }
}

/** What is not found there, or is not there to be read, is for the paths behind it to be: the engine answered, and let us in. */
function isIn(status: number): boolean {
  return status < 300 || status === 404 || status === 405
}

function messageOf(status: number): string {
  const answered = `The engine answered with ${status}`
  if (isIn(status)) return `${answered}.`
  if (status < 400) return `${answered}: redirects are not followed, give the address that it leads to.`
  if (status === 401 || status === 403) return `${answered}: it does not know the credentials.`
  return status < 500 ? `The engine refused it with ${status}.` : `The engine failed with ${status}.`
}

export {
  createConnection as create,
  deleteConnection as delete,
  getConnection as get,
  listConnections as list,
  updateConnection as update,
  testConnection as test,
}

/** What is sent of a connection, where something is. */
interface SentConnection extends SentSecrets {
  readonly baseUrl?: string | undefined
  readonly callbackBaseUrl?: string | undefined
  readonly allowedOrigins?: readonly string[] | undefined
}

/** A connection as it was: what it may send its credentials to. */
interface KnownConnection {
  readonly baseUrl: string
  readonly allowedOrigins: readonly string[]
  readonly secrets: ConnectionSecrets
}

/** Characters of a secret that callbacks are known by: shorter ones can be guessed. */
const shortestSecret = 16

/** Errors: `invalid` with an issue for each member that cannot be kept as it is. */
function requireSoundConnection(
  { environment }: Pick<Call, 'environment'>,
  sent: SentConnection,
  before: KnownConnection | null,
): void {
  const { baseUrl, callbackBaseUrl, allowedOrigins = [], auth } = sent
  const issues = [
    issueAt('baseUrl', baseUrl === undefined ? null : baseUrlProblem(environment, baseUrl)),
    // The engine calls it, not we: any address that it can reach will do.
    issueAt('callbackBaseUrl', callbackBaseUrl === undefined ? null : addressProblem(callbackBaseUrl)),
    ...allowedOrigins.map((origin, index) => issueAt(`allowedOrigins.${index}`, originProblem(origin))),
    authIssue(auth),
    issueAt('auth', authProblem(sent, before)),
    issueAt('callback.apiKey', secretProblem(sent.callback?.apiKey, before?.secrets.callback.apiKey)),
    issueAt(
      'callback.signingSecret',
      secretProblem(sent.callback?.signingSecret, before?.secrets.callback.signingSecret),
    ),
  ].filter((one) => one !== null)
  if (issues.length > 0) throw invalid(issues)
}

function addressProblem(url: string): string | null {
  const { protocol = '', username = '', password = '' } = URL.parse(url) ?? {}
  const isPlain = username === '' && password === '' && !/[?#\s]/.test(url)
  return isPlain && (protocol === 'http:' || protocol === 'https:')
    ? null
    : 'is an address that begins with http:// or https://, without credentials, query or fragment'
}

function originProblem(origin: string): string | null {
  const parsed = URL.parse(origin)
  return parsed && addressProblem(origin) === null && parsed.origin === origin
    ? null
    : 'is an origin: scheme, host and port, as in https://tasks.example.com'
}

/** What stands against keeping a secret, or for there being none to keep; null: nothing. */
function authProblem(sent: SentConnection, before: KnownConnection | null): string | null {
  const { auth } = sent
  const isStored = auth === undefined || secretOf(auth) === redacted
  if (!isStored) return null
  if (auth && before?.secrets.auth.kind !== auth.kind) return 'nothing was set before'
  const isThere = before !== null && secretOf(before.secrets.auth) !== null
  return isThere && reachesFurther(sent, before)
    ? 'must be given anew: what was set is for other addresses'
    : null
}

/** What is secret was given for some addresses: sent to another by somebody who does not know it, it would be told to them. */
function reachesFurther({ baseUrl, allowedOrigins = [] }: SentConnection, before: KnownConnection): boolean {
  const isMoved = baseUrl !== undefined && originOf(baseUrl) !== originOf(before.baseUrl)
  return isMoved || allowedOrigins.some((origin) => !before.allowedOrigins.includes(origin))
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}

function secretProblem(sent: string | null | undefined, before: string | null | undefined): string | null {
  if (sent === undefined || sent === null) return null
  if (sent === redacted) return before ? null : 'nothing was set before'
  return sent.length < shortestSecret || !/^[!-~][ -~]*[!-~]$/.test(sent)
    ? `has at least ${shortestSecret} characters of ASCII, none of them a control, and no blanks around`
    : null
}
