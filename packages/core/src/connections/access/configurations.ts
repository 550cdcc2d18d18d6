import type { AccessConfigurationRecord } from './record.ts'
import type { AccessConfiguration, Contract, OutputOf, ParsedOf, Issue } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call } from '../../engine/call.ts'
import { recordsOf, sentMembers } from '../../engine/record-rules.ts'
import { auditEntry } from '../../people/audit.ts'
import { invalid, issueAt } from '../../engine/check-input.ts'
import { authIssue, baseUrlProblem, upstreamHeaderProblem } from '../../engine/upstream.ts'
import { findPlaceholders, hideSecrets } from './hide-secrets.ts'
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

/** Errors: `forbidden`, `not_found`. */
async function get(call: Call, { id }: ParsedOf<Access['get']>): Promise<Serialized<AccessConfiguration>> {
  return records.serialize(await records.find(call, id))
}

/**
 * Creates an access configuration. Errors: `forbidden`; `invalid` for unusable members, and for
 * members that the service sets.
 */
export async function generateKey(
  call: Call,
  given: ParsedOf<Contract['admin']['generateKey']>,
): Promise<Serialized<AccessConfiguration>> {
  const { name, type, ...rest } = given
  const members = sentMembers(rest)
  requireValid(call, { given, members })
  const { environment, now: createdDate } = call
  const id = environment.ids.next('ACCS')
  const after = { id, name, type, ...(await sealMembers(environment, id, members)), createdDate }
  return call.write(async (call) => records.serialize(await records.put(call, { before: null, after })))
}

/**
 * Deletes an access configuration with its secrets. Errors: `forbidden`, `not_found`,
 * `precondition_failed`.
 */
async function remove(call: Call, { id }: ParsedOf<Access['delete']>): Promise<undefined> {
  return call.write(async (call) => records.remove(call, await records.require(call, id)))
}

/** Access configurations cannot be changed, only created and deleted. */
export const accessConfigurations = { list, get, delete: remove }

type Given = ParsedOf<Contract['admin']['generateKey']>

/**
 * The size limit of the members as JSON, in characters. It exists because records are cached in
 * memory.
 */
const mostText = 64 * 1024

/**
 * Members that the service sets itself, or that mean something else in a call. A provider cannot
 * use these names.
 */
const reservedNames = ['id', 'createdDate', 'dryRun'] as const

/** Errors: `invalid` with an issue for each bad member. */
function requireValid(
  { environment }: Call,
  { given, members }: { given: Given; members: JsonObject },
): void {
  const { baseUrl, apiKey, auth } = given
  const issues: (Issue | null)[] = [
    ...reservedNames.map((name) => issueAt(name, Object.hasOwn(members, name) && 'is set by the service')),
    issueAt('baseUrl', baseUrl !== undefined && baseUrlProblem(environment, baseUrl)),
    issueAt('auth', apiKey !== undefined && auth !== undefined && 'replaces apiKey: send only one of them'),
    issueAt('apiKey', apiKey !== undefined && upstreamHeaderProblem('authorization', `Bearer ${apiKey}`)),
    authIssue(auth),
    ...findPlaceholders(members).map((path) =>
      issueAt(path, 'is only the placeholder of a secret: send the secret itself'),
    ),
    issueAt(
      '',
      JSON.stringify(members).length > mostText &&
        `The members have more than ${mostText} characters as JSON`,
    ),
  ]
  const found = issues.filter((one) => one !== null)
  if (found.length > 0) throw invalid(found)
}

type Sealing = Pick<Environment, 'secrets'>

/** Redacts the members for display, and seals all of them if some are secret. */
export async function sealMembers(
  { secrets }: Sealing,
  id: string,
  members: JsonObject,
): Promise<Pick<AccessConfigurationRecord, 'members' | 'sealedMembers'>> {
  const visible = hideSecrets(members)
  const text = JSON.stringify(members)
  const isSecret = JSON.stringify(visible) !== text
  return { members: visible, sealedMembers: isSecret ? await secrets.seal(text, purposeOf(id)) : null }
}

/**
 * The members with their secrets, for requests to the upstream. Errors: throws if they were sealed
 * with another key or for another configuration.
 */
export async function openMembers(
  { secrets }: Sealing,
  { id, members, sealedMembers }: AccessConfigurationRecord,
): Promise<JsonObject> {
  if (sealedMembers === null) return members
  const opened: JsonObject = JSON.parse(await secrets.open(sealedMembers, purposeOf(id)))
  return opened
}

/** Includes the id, so that members sealed for one configuration cannot be opened for another. */
function purposeOf(id: string): string {
  return `access ${id}`
}

/** A configuration without its secrets. */
function configurationJson({ id, name, type, members, createdDate }: AccessConfigurationRecord) {
  return { id, name, type, ...members, createdDate }
}
