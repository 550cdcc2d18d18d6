import { type Contract, type OutputOf, limits, type ParsedOf } from '@quire/contract'
import { graphOf, holdingsIn, reachedGroups, type Holder } from '../../engine/access/holdings.ts'
import { accountOfService, accountOfUser } from '../../engine/access/records.ts'
import { type Call } from '../../engine/call.ts'
import { requireRecord } from '../../engine/record-rules.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { findGroup } from '../groups.ts'
import { findServiceAccount } from '../service-accounts/account.ts'
import { findUser } from '../users/find.ts'
import { programMember } from '../../engine/journal.ts'
import { type Counted, badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import { agentCallMember, isAgentCall } from '../agent-calls.ts'
import { securityKinds, securityEvent } from '../audit.ts'
import { isJsonObject, type JournalRow, type JsonObject } from '../../ports/index.ts'
import { newKey, publishedBeforeMs, resealKey } from '../auth/keys.ts'
import { type SigningKeyRecord } from '../auth/records.ts'

type Related = OutputOf<Contract['security']['userInfo']>
interface RecordId {
  readonly id: string
}

/**
 * The roles and groups of a user, direct and through groups (specification 4.5). Errors:
 * `not_found`.
 */
export async function userInfo(call: Call, { id }: RecordId): Promise<Related> {
  const user = await findUser(call, id)
  return relatedOf(call, accountOfUser(user))
}

/** The roles and groups of a service account, direct and through groups. Errors: `not_found`. */
export async function serviceAccountInfo(call: Call, { id }: RecordId): Promise<Related> {
  const account = await findServiceAccount(call, id)
  return relatedOf(call, accountOfService(account))
}

/** The accounts and groups that have a role, directly or through groups. Errors: `not_found`. */
export async function roleInfo(call: Call, { id }: RecordId): Promise<Related> {
  const { records } = call.store
  const role = requireRecord<'role'>(call, await records.get('role', id), `role "${id}"`)
  const graph = await graphOf(records)
  const groups = [...graph.groupsById.values()].filter(
    (group) => group.roles.includes(id) || role.groups.includes(group.id),
  )
  const hasRole = (holder: Holder) => holdingsIn(graph, holder).roles.some((held) => held.role.id === id)
  return { ...(await accountsWhere(call, hasRole)), roles: [], groups: groups.map((group) => group.id) }
}

/**
 * The members of a group, directly or through groups in it; its roles; and the groups that it is in
 * or that are in it. Errors: `not_found`.
 */
export async function groupInfo(call: Call, { id }: RecordId): Promise<Related> {
  const group = await findGroup(call, id)
  const graph = await graphOf(call.store.records)
  const isMember = (holder: Holder) => reachedGroups(graph, holder).some((reached) => reached.group.id === id)
  const { roles } = holdingsIn(graph, {
    kind: 'service',
    id: '',
    roles: [],
    groups: [id],
    repos: [],
    branchOnly: false,
  })
  const inside = [...graph.groupsById.values()].filter(({ groups }) => groups.includes(id))
  return {
    ...(await accountsWhere(call, isMember)),
    roles: roles.map(({ role }) => role.id),
    groups: [...new Set([...group.groups, ...inside.map((other) => other.id)])],
  }
}

async function relatedOf(call: Call, holder: Holder): Promise<Related> {
  const graph = await graphOf(call.store.records)
  return {
    users: [],
    roles: holdingsIn(graph, holder).roles.map(({ role }) => role.id),
    groups: reachedGroups(graph, holder).map(({ group }) => group.id),
    serviceAccounts: [],
  }
}

async function accountsWhere(
  call: Call,
  holds: (holder: Holder) => boolean,
): Promise<Pick<Related, 'users' | 'serviceAccounts'>> {
  const { records } = call.store
  const yieldToLoop = yieldingToLoop()
  const users: string[] = []
  for (const user of await records.list('user')) {
    if (holds(accountOfUser(user))) users.push(user.id)
    await yieldToLoop()
  }
  const accounts = await records.list('serviceAccount')
  const holding = accounts.filter((account) => holds(accountOfService(account)))
  return { users, serviceAccounts: holding.map(({ id }) => id) }
}

type Audit = Contract['security']['audit']
type Entry = OutputOf<Audit>['items'][number]

// The journal has other entries without a repository, too.
const kinds: ReadonlySet<string> = new Set(securityKinds)

/**
 * Entries that one call reads, at most, to fill a page. At twice, the slowest calls take twice as
 * long; at half, pages of rare entries are shorter.
 */
const mostRead = 20_000

/** The audit log, newest first. Errors: `invalid` for a bad cursor. */
export async function audit(call: Call, input: ParsedOf<Audit>): Promise<OutputOf<Audit>> {
  const { rows, next } = await auditedRows(call, input)
  return {
    ...(input.skipCount !== true && (await count(call, input.event))),
    items: rows.map(entryOf),
    ...(next !== undefined && { nextCursor: encodeCursor(next) }),
  }
}

/** A page of entries, and the sequence before which the next one begins. */
async function auditedRows(
  call: Call,
  { limit = limits.pageDefault, cursor, event }: ParsedOf<Audit>,
): Promise<{ rows: readonly JournalRow[]; next: number | undefined }> {
  const found: JournalRow[] = []
  let before = cursor === undefined ? undefined : sequenceOf(cursor)
  for (let read = 0; read < mostRead; read += limits.pageMost) {
    const rows = await call.store.journal.readBack({
      repositoryId: '',
      limit: limits.pageMost,
      ...(before !== undefined && { before }),
    })
    found.push(...rows.filter((row) => isAudited(row, event)))
    before = rows.at(-1)?.sequence
    if (found.length > limit) return { rows: found.slice(0, limit), next: found[limit - 1]?.sequence }
    if (rows.length < limits.pageMost) return { rows: found, next: undefined }
  }
  return { rows: found, next: before }
}

/** Whether an entry is in the audit log. Calls of agents are there only if they are asked for. */
function isAudited(row: Pick<JournalRow, 'event' | 'entityType'>, event: string | undefined): boolean {
  if (event !== undefined && event !== row.event) return false
  return kinds.has(row.entityType) || (event !== undefined && isAgentCall(row))
}

async function count(call: Call, event: string | undefined): Promise<Counted> {
  const { groups, older } = await call.store.journal.tally({
    repositoryId: '',
    limit: limits.counted,
    ...(event !== undefined && { event }),
  })
  const counts = groups.filter((group) => isAudited(group, event)).map((group) => group.count)
  return {
    count: counts.reduce((sum, one) => sum + one, 0),
    ...(older !== null && { countIsExact: false as const }),
  }
}

function sequenceOf(cursor: string): number {
  const sequence = decodeCursor(cursor)
  if (typeof sequence !== 'number') throw badCursor()
  return sequence
}

function entryOf({
  sequence,
  date,
  event,
  entityType,
  entityId,
  user,
  requestId,
  details,
}: JournalRow): Entry {
  const { address, changed } = details
  return {
    id: String(sequence),
    timestamp: new Date(date).toISOString(),
    event,
    entityType,
    entityId,
    user,
    address: typeof address === 'string' ? address : null,
    requestId,
    ...programMember({ details }),
    ...agentCallMember({ event, details }),
    // Written by `securityEvent`.
    changed: (isJsonObject(changed) ? changed : ({} satisfies JsonObject)) as Entry['changed'],
  }
}

type RotateKeys = Contract['security']['rotateKeys']
type Rotated = OutputOf<RotateKeys>

/** Creates the next key of a kind. Earlier keys stay valid as long as something needs them. */
export function rotateKeys(call: Call, input: ParsedOf<RotateKeys>): Promise<Rotated> {
  return input.of === 'tokens' ? rotateSigningKey(call) : rotateServerKey(call)
}

/**
 * The previous key signs until the new one was published for long enough, and continues to verify
 * after that.
 */
async function rotateSigningKey(call: Call): Promise<Rotated> {
  const key = await newKey(call.environment)
  await call.write(async (call) => {
    await call.store.records.put('signingKey', key, 0)
    await call.record(securityEvent(call, 'SIGNING_KEY_ROTATED', { kind: 'signingKey', id: key.id }))
  })
  return { id: key.id, usedFrom: key.createdDate + publishedBeforeMs }
}

/**
 * Seals long-lived data with the new key. Data that lives for at most a day can still be opened
 * with the previous key.
 */
async function rotateServerKey(call: Call): Promise<Rotated> {
  const id = await call.environment.secrets.rotate()
  const keys = await call.store.records.list('signingKey')
  const resealed = new Map<string, SigningKeyRecord>()
  for (const key of keys) resealed.set(key.id, await resealKey(call.environment, key))
  await call.write(async (call) => {
    for (const { id: keyId, revision } of await call.store.records.list('signingKey')) {
      const key = resealed.get(keyId)
      if (key) await call.store.records.put('signingKey', key, revision)
    }
    await call.record(securityEvent(call, 'SERVER_KEY_ROTATED', { kind: 'serverKey', id }))
  })
  return { id, usedFrom: call.now }
}
