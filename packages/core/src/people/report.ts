import type { PermissionKey } from '@quire/contract'
import { rightsEntryText } from '../engine/access/rights-entry.ts'
import { grantsOf, type Grant } from '../engine/access/grants.ts'
import { graphOf, holdingsIn, type Holder } from '../engine/access/holdings.ts'
import type { RecordReader } from '../ports/index.ts'

/** Keys whose holders decide over others, or over what everybody sees. */
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

/** Somebody who holds a dangerous key, and one way in which. */
export interface DangerousHolding {
  readonly key: (typeof dangerousKeys)[number]
  readonly account: { readonly kind: 'user' | 'service'; readonly id: string; readonly name: string }
  /** Everywhere, or the repository or site on which. */
  readonly on: string
  /** The name of the role; null: by an entry of the account or of a group. */
  readonly role: string | null
  /** Names of the groups through which it comes. */
  readonly via: readonly string[]
  readonly source: string
}

/** Who can do the dangerous things, and why: every way once, of accounts that are enabled and have not run out by `now` (Unix ms). */
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
  const holders: (Holder & { readonly name: string; readonly enabled: boolean })[] = [
    ...accounts
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map((account) => ({ ...account, kind: 'service' as const, repos: [] })),
    ...users.map((user) => ({ ...user, kind: 'user' as const })),
  ]
  const found: DangerousHolding[] = []
  for (const holder of holders.filter(({ enabled }) => enabled)) {
    const { kind, id, name } = holder
    const grants = grantsOf(holdingsIn(graph, holder))
    for (const key of dangerousKeys)
      for (const grant of grants.filter((one) => one.key === key))
        found.push({ key, account: { kind, id, name }, ...reported(grant, names) })
  }
  return found
}

function scopeOf(scope: Grant['scope']): string {
  if (scope.kind === 'global') return 'everywhere'
  return scope.kind === 'site' ? scope.name : rightsEntryText(scope.entry)
}

function reported({ scope, roleId, via, source }: Grant, names: ReadonlyMap<string, string>) {
  return {
    on: scopeOf(scope),
    role: roleId === null ? null : (names.get(roleId) ?? roleId),
    via: via.map((id) => names.get(id) ?? id),
    source,
  }
}
