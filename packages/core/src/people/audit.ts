import { permissionKeys, type JournalEvent, type PermissionKey } from '@quire/contract'
import type { Call } from '../engine/call.ts'
import { recordEvent } from '../engine/journal.ts'
import type { RecordChange } from '../engine/record-rules.ts'
import { isSame } from '../engine/same.ts'
import { rightsEntryText, grantsOf, type Grant } from '../engine/access/grants.ts'
import { graphOf, holdingsIn } from '../engine/access/holdings.ts'
import { permissionsIn } from '../engine/access/identity.ts'
import { isBranchOnly, mayDoSomewhere, type Permissions } from '../engine/access/permissions.ts'
import { accountOfService, accountOfUser, type Account } from '../engine/access/records.ts'
import type { JournalEntry, JsonObject, Json, RecordReader } from '../ports/index.ts'

/** The kinds of records whose changes are in the audit log. */
export const securityKinds = [
  'role',
  'bundle',
  'user',
  'group',
  'serviceAccount',
  'session',
  'signingKey',
  'serverKey',
  'repository',
  'accessConfiguration',
  'workflowConnection',
  'workflowDefinition',
  'settings',
] as const

type SecurityKind = (typeof securityKinds)[number]

/** A change to accounts, roles or settings. */
interface SecurityChange {
  readonly kind: SecurityKind
  readonly id: string
  /** The record before and after the change; null: there is none. */
  readonly before?: object | null
  readonly after?: object | null
}

// Members that change with every write, or that must not appear in a log.
const unreported: ReadonlySet<string> = new Set([
  'revision',
  'updatedDate',
  'createdDate',
  'epoch',
  'secrets',
])

/**
 * The audit entry of a change: each changed member with its old and new value, and the address of
 * the caller.
 */
export function securityEvent(
  call: Call,
  event: JournalEvent,
  { kind, id, before = null, after = null }: SecurityChange,
): JournalEntry {
  return recordEvent(call, event, { kind, id, details: { changed: changesOf(before, after) } })
}

/**
 * The audit entry of a record change, as in `securityEvent`. `select` returns the reported members.
 * Default: all.
 */
export function auditEntry<R extends { readonly id: string }>(
  kind: SecurityKind,
  select: (record: R) => object = (record) => record,
): (call: Call, event: JournalEvent, change: RecordChange<R>) => JournalEntry {
  return (call, event, { before, after }) => {
    const { id = '' } = after ?? before ?? {}
    return securityEvent(call, event, {
      kind,
      id,
      before: before && select(before),
      after: after && select(after),
    })
  }
}

function changesOf(before: object | null, after: object | null): JsonObject {
  const from = membersOf(before)
  const to = membersOf(after)
  const names = [...new Set([...from.keys(), ...to.keys()])].filter((name) => !unreported.has(name))
  return Object.fromEntries(
    names.flatMap((name) => {
      const change = { from: from.get(name) ?? null, to: to.get(name) ?? null }
      return isSame(change.from, change.to) ? [] : [[name, change] as const]
    }),
  )
}

// Records are JSON.
function membersOf(record: object | null): ReadonlyMap<string, Json> {
  return new Map(Object.entries(record ?? {}) as [string, Json][])
}

/** Permissions that affect other accounts, or content that everybody sees. */
export const dangerousKeys = [
  'security.roles.update',
  'security.users.update',
  'security.groups.update',
  'security.serviceAccounts.update',
  'security.keys.update',
  'admin.repositories.update',
  'admin.types.update',
  'admin.webhooks.update',
  'admin.access.update',
  'admin.settings.update',
  'packages.merge',
  'items.publish',
  'items.delete',
] as const satisfies readonly PermissionKey[]

/** An account with a dangerous permission, and one way in which it holds that permission. */
export interface DangerousHolding {
  readonly key: (typeof dangerousKeys)[number]
  readonly account: { readonly kind: 'user' | 'service'; readonly id: string; readonly name: string }
  /** `everywhere`, or the repository or site. */
  readonly on: string
  /**
   * The name of the role; null: the permission comes from an entry of the account or of a group.
   */
  readonly role: string | null
  /** The names of the groups through which the account holds it. */
  readonly via: readonly string[]
  readonly source: string
}

/**
 * All accounts with dangerous permissions, with each way in which they hold one on main. Accounts
 * that are disabled, or expired at `now` (Unix ms), are left out.
 */
export async function dangerousHoldings(
  records: RecordReader,
  now: number,
): Promise<readonly DangerousHolding[]> {
  const [accounts, users, groups, graph] = await Promise.all([
    records.list('serviceAccount'),
    records.list('user'),
    records.list('group'),
    graphOf(records),
  ])
  const names = new Map([...graph.roles, ...groups].map(({ id, name }) => [id, name]))
  const holders = [
    ...accounts.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(accountOfService),
    ...users.map(accountOfUser),
  ]
  const found: DangerousHolding[] = []
  for (const holder of holders.filter(({ enabled }) => enabled)) {
    const { kind, id, name } = holder
    const grants = grantsOf(holdingsIn(graph, holder))
    for (const key of dangerousKeys)
      for (const grant of grants.filter((one) => one.key === key && !one.inPackagesOnly))
        found.push({ key, account: { kind, id, name }, ...describeGrant(grant, names) })
  }
  return found
}

/**
 * The enabled service accounts that are called agents, or MCP, and can change main. Accounts that are
 * expired at `now` (Unix ms) are left out.
 */
export async function agentsOnMain(
  records: RecordReader,
  now: number,
): Promise<readonly Pick<Account, 'id' | 'name'>[]> {
  const [accounts, graph] = await Promise.all([records.list('serviceAccount'), graphOf(records)])
  return accounts.filter((account) => {
    const { name, description, enabled, expiresAt } = account
    if (!enabled || (expiresAt ?? now + 1) <= now || !agentWords.test(`${name} ${description}`)) return false
    const permissions = permissionsIn(graph, accountOfService(account))
    return !isBranchOnly(permissions) && mayDoAnything(permissions)
  })
}

const agentWords = /\b(?:agents?|mcp)\b/i

function mayDoAnything(permissions: Permissions): boolean {
  return permissionKeys.some((key) => mayDoSomewhere(permissions, key))
}

function describeScope(scope: Grant['scope']): string {
  if (scope.kind === 'global') return 'everywhere'
  return scope.kind === 'site' ? scope.name : rightsEntryText(scope.entry)
}

function describeGrant({ scope, roleId, via, source }: Grant, names: ReadonlyMap<string, string>) {
  return {
    on: describeScope(scope),
    role: roleId === null ? null : (names.get(roleId) ?? roleId),
    via: via.map((id) => names.get(id) ?? id),
    source,
  }
}
