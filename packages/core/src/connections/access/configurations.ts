import type { AccessConfigurationRecord } from './record.ts'
import type { AccessConfiguration, Contract, OutputOf, ParsedOf, Issue } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call } from '../../engine/call.ts'
import { recordsOf, sentMembers } from '../../engine/record-rules.ts'
import { auditEntry } from '../../people/audit.ts'
import { invalid, issueAt } from '../../engine/check-input.ts'
import { authIssue, baseUrlProblem, upstreamHeaderProblem } from '../../engine/upstream.ts'
import { standIns, hideSecrets } from './hide-secrets.ts'
import type { Environment } from '../../engine/environment.ts'
import type { JsonObject } from '../../ports/index.ts'

type Access = Contract['access']

const records = recordsOf({
  kind: 'accessConfiguration',
  called: 'access configuration',
  events: { created: 'ACCESS_CONFIGURATION_CREATED', deleted: 'ACCESS_CONFIGURATION_DELETED' },
  entry: auditEntry('accessConfiguration', configurationJson),
  serialize: (stored): AccessConfiguration => configurationJson(stored),
})

/** All access configurations. Errors: `forbidden`. */
async function list(call: Call, input: ParsedOf<Access['list']>): Promise<OutputOf<Access['list']>> {
  return records.page(await call.store.records.list('accessConfiguration'), input)
}

/** One of them. Errors: `forbidden`, `not_found`. */
async function get(call: Call, { id }: ParsedOf<Access['get']>): Promise<Serialized<AccessConfiguration>> {
  return records.serialize(await records.find(call, id))
}

/** Keeps an access configuration under a new id. Errors: `forbidden`; `invalid` for what could not be used, or is the service's to say. */
export async function generateKey(
  call: Call,
  given: ParsedOf<Contract['admin']['generateKey']>,
): Promise<Serialized<AccessConfiguration>> {
  const { name, type, ...rest } = given
  const members = sentMembers(rest)
  requireSound(call, { given, members })
  const { environment, now: createdDate } = call
  const id = environment.ids.next('ACCS')
  const after = { id, name, type, ...(await storedMembers(environment, id, members)), createdDate }
  return call.write(async (call) => records.serialize(await records.put(call, { before: null, after })))
}

/** Deletes an access configuration with what is sealed of it. Errors: `forbidden`, `not_found`, `precondition_failed`. */
async function remove(call: Call, { id }: ParsedOf<Access['delete']>): Promise<undefined> {
  return call.write(async (call) => records.remove(call, await records.require(call, id)))
}

/** Where others are reached, and with which keys. They are never changed, only made and deleted. */
export const accessConfigurations = { list, get, delete: remove }

type Given = ParsedOf<Contract['admin']['generateKey']>

/** Characters of the members as JSON: records are kept in memory. */
const mostText = 64 * 1024

/** What the service says itself, and what would mean something else to a call: no provider can have a member of such a name. */
const ownNames = ['id', 'createdDate', 'dryRun'] as const

/** Errors: `invalid` with an issue for each member that cannot be kept as it is. */
function requireSound(
  { environment }: Call,
  { given, members }: { given: Given; members: JsonObject },
): void {
  const { baseUrl, apiKey, auth } = given
  const issues: (Issue | null)[] = [
    ...ownNames.map((name) => issueAt(name, Object.hasOwn(members, name) && 'is the service’s to say')),
    issueAt('baseUrl', baseUrl !== undefined && baseUrlProblem(environment, baseUrl)),
    issueAt(
      'auth',
      apiKey !== undefined && auth !== undefined && 'stands in place of apiKey: send one of them',
    ),
    issueAt('apiKey', apiKey !== undefined && upstreamHeaderProblem('authorization', `Bearer ${apiKey}`)),
    authIssue(auth),
    ...standIns(members).map((path) =>
      issueAt(path, 'is what is shown in place of a secret: send the secret'),
    ),
    issueAt(
      '',
      JSON.stringify(members).length > mostText && `The members are more than ${mostText} characters of JSON`,
    ),
  ]
  const found = issues.filter((one) => one !== null)
  if (found.length > 0) throw invalid(found)
}

type Sealing = Pick<Environment, 'secrets'>

/** Members as they are kept: what is shown of them, and all of them sealed where some are secret. */
export async function storedMembers(
  { secrets }: Sealing,
  id: string,
  members: JsonObject,
): Promise<Pick<AccessConfigurationRecord, 'members' | 'sealedMembers'>> {
  const visible = hideSecrets(members)
  const text = JSON.stringify(members)
  const isSecret = JSON.stringify(visible) !== text
  return { members: visible, sealedMembers: isSecret ? await secrets.seal(text, purposeOf(id)) : null }
}

/** The members with their secrets, for whoever sends them to the upstream. Errors: throws when they were sealed elsewhere. */
export async function openedMembers(
  { secrets }: Sealing,
  { id, members, sealedMembers }: AccessConfigurationRecord,
): Promise<JsonObject> {
  if (sealedMembers === null) return members
  const opened: JsonObject = JSON.parse(await secrets.open(sealedMembers, purposeOf(id)))
  return opened
}

/** What is sealed for one configuration opens for no other. */
function purposeOf(id: string): string {
  return `access ${id}`
}

/** A configuration without its secrets. */
function configurationJson({ id, name, type, members, createdDate }: AccessConfigurationRecord) {
  return { id, name, type, ...members, createdDate }
}
