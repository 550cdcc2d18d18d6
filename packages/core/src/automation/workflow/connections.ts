import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type WorkflowConnection,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call } from '../../engine/call.ts'
import { recordsOf, plainRecord, sentMembers } from '../../engine/record-rules.ts'
import type { WorkflowConnectionRecord } from './records.ts'
import { auditEntry } from '../../people/audit.ts'
import {
  changeSecrets,
  replacesAll,
  noSecrets,
  openSecrets,
  sealSecrets,
  redactSecrets,
  type ConnectionSecrets,
  type SecretsInput,
  secretOf,
} from './connection-secrets.ts'
import { checkConnection } from './check-connection.ts'
import { isEnded } from './transitions.ts'
import { authIssue, baseUrlProblem } from '../../engine/upstream.ts'
import { invalid, issueAt } from '../../engine/check-input.ts'
import { redacted } from '../../engine/redacted.ts'
import { type Stored, type Transaction } from '../../ports/index.ts'

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
  return records.page(await call.store.records.list('workflowConnection'), input)
}

/** Errors: `forbidden`, `not_found`. */
async function getConnection(
  call: Call,
  { id }: ParsedOf<Connections['get']>,
): Promise<Serialized<WorkflowConnection>> {
  return records.serialize(await findConnection(call, id))
}

/**
 * Creates a connection. Errors: `forbidden`, `name_taken`; `invalid` for a URL that the egress
 * policy blocks, or a secret that is too short.
 */
async function createConnection(
  call: Call,
  { auth, callback, ...given }: ParsedOf<Connections['create']>,
): Promise<Serialized<WorkflowConnection>> {
  requireValidConnection(call, { ...given, auth, callback }, null)
  const { environment, now } = call
  const id = environment.ids.next('CONN')
  const secrets = { auth, callback, before: null }
  const current = {
    sealedSecrets: await sealSecrets(environment, id, secrets),
    ...redactSecrets(secrets),
  }
  const after = { id, ...given, ...current, createdDate: now, updatedDate: now }
  return call.write(async (call) => records.serialize(await records.put(call, { before: null, after })))
}

/**
 * Changes the given members. Errors: `forbidden`, `not_found`, `name_taken`, `precondition_failed`,
 * `invalid`.
 */
async function updateConnection(
  call: Call,
  { id, auth, callback, ...patch }: ParsedOf<Connections['update']>,
): Promise<Serialized<WorkflowConnection>> {
  const { environment, now } = call
  // Secrets are sealed before the transaction, because a transaction must not wait for anything but
  // the store.
  const known = await findConnection(call, id)
  const secrets = await openStoredSecrets(call, known, { auth, callback })
  requireValidConnection(call, { ...patch, auth, callback }, { ...known, secrets })
  const changed = changeSecrets(secrets, { auth, callback }, now)
  const current = {
    sealedSecrets: await sealSecrets(environment, id, changed),
    ...redactSecrets(changed),
  }
  return call.write(async (call) => {
    const before = await records.require(call, id)
    if (before.revision !== known.revision) throw new QuireError('precondition_failed')
    const after = { ...plainRecord(before), ...sentMembers(patch), ...current, updatedDate: now }
    return records.serialize(await records.put(call, { before, after }))
  })
}

/**
 * Opens the stored secrets that a change is applied to. If they cannot be opened because the server
 * key was replaced, the change has to replace all of them, which repairs the connection. Errors:
 * `invalid`.
 */
async function openStoredSecrets(
  { environment }: Call,
  known: WorkflowConnectionRecord,
  sent: SecretsInput,
): Promise<ConnectionSecrets> {
  try {
    return await openSecrets(environment, known)
  } catch (cause) {
    if (replacesAll(sent)) return noSecrets
    const message =
      'The stored secrets cannot be decrypted with the keys of this service. Send auth, callback.apiKey and callback.signingSecret again.'
    throw new QuireError('invalid', message, { issues: [{ path: 'auth', message }], cause })
  }
}

/**
 * Deletes a connection that nothing uses. Errors: `forbidden`, `not_found`, `precondition_failed`,
 * `referenced`.
 */
async function deleteConnection(call: Call, { id }: ParsedOf<Connections['delete']>): Promise<undefined> {
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
  const message = `The connection is used by ${definitions.length} definitions and ${running.length} running workflows.`
  throw new QuireError('referenced', message, {
    details: { definitions: definitions.slice(0, 100).map((one) => one.id), workflows: running.length },
  })
}

type Test = Contract['workflowConnections']['test']

/** Checks whether the engine accepts the credentials. Errors: `forbidden`, `not_found`. */
async function testConnection(call: Call, { id }: ParsedOf<Test>): Promise<OutputOf<Test>> {
  return checkConnection(call, await findConnection(call, id))
}

export {
  createConnection as create,
  deleteConnection as delete,
  getConnection as get,
  listConnections as list,
  updateConnection as update,
  testConnection as test,
}

/** The members in a request to create or change a connection. */
interface ConnectionInput extends SecretsInput {
  readonly baseUrl?: string | undefined
  readonly callbackBaseUrl?: string | undefined
  readonly allowedOrigins?: readonly string[] | undefined
}

/** A stored connection: its secrets and the addresses that they may be sent to. */
interface StoredConnection {
  readonly baseUrl: string
  readonly allowedOrigins: readonly string[]
  readonly secrets: ConnectionSecrets
}

/** The shortest callback secret, in characters. Shorter ones could be guessed. */
const shortestSecret = 16

/** Errors: `invalid` with an issue for each bad member. */
function requireValidConnection(
  { environment }: Pick<Call, 'environment'>,
  sent: ConnectionInput,
  before: StoredConnection | null,
): void {
  const { baseUrl, callbackBaseUrl, allowedOrigins = [], auth } = sent
  const issues = [
    issueAt('baseUrl', baseUrl === undefined ? null : baseUrlProblem(environment, baseUrl)),
    // The engine calls this URL, not this service, so the egress policy does not apply.
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
    : 'must be a URL that begins with http:// or https://, without credentials, query or fragment'
}

function originProblem(origin: string): string | null {
  const parsed = URL.parse(origin)
  return parsed && addressProblem(origin) === null && parsed.origin === origin
    ? null
    : 'must be an origin (scheme, host and port), such as https://tasks.example.com'
}

/** Why a stored secret cannot be kept; null if it can, or if a new one is sent. */
function authProblem(sent: ConnectionInput, before: StoredConnection | null): string | null {
  const { auth } = sent
  const isStored = auth === undefined || secretOf(auth) === redacted
  if (!isStored) return null
  if (auth && before?.secrets.auth.kind !== auth.kind) return 'no value is stored'
  const hasSecret = before !== null && secretOf(before.secrets.auth) !== null
  return hasSecret && addsAddresses(sent, before)
    ? 'must be sent again, because the stored value belongs to other addresses'
    : null
}

/**
 * Whether a change adds addresses that get the credentials. Somebody who does not know the secret
 * could otherwise have it sent to a server of their own.
 */
function addsAddresses({ baseUrl, allowedOrigins = [] }: ConnectionInput, before: StoredConnection): boolean {
  const isMoved = baseUrl !== undefined && originOf(baseUrl) !== originOf(before.baseUrl)
  return isMoved || allowedOrigins.some((origin) => !before.allowedOrigins.includes(origin))
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}

function secretProblem(sent: string | null | undefined, before: string | null | undefined): string | null {
  if (sent === undefined || sent === null) return null
  if (sent === redacted) return before ? null : 'no value is stored'
  return sent.length < shortestSecret || !/^[!-~][ -~]*[!-~]$/.test(sent)
    ? `must have at least ${shortestSecret} printable ASCII characters, without leading or trailing spaces`
    : null
}
