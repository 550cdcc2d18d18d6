import { QuireError, type Quota } from '@quire/contract'
import type { RecordReader, StoreReader, Transaction, UsageChange, UsageScope } from '../ports/index.ts'
import type { Identity } from './access/identity.ts'

const members = ['items', 'versions', 'bytes'] as const

// Unfolded changes of one scope: beyond this number, reading its sum takes more than a millisecond.
const foldedAt = 1000

/**
 * Refuses a transaction that exceeds a quota, whoever writes and in whatever way: its changes are
 * known when its work is done. Changes that add nothing are accepted, and without a quota no usage
 * is read. Errors: `quota_exceeded`.
 */
export async function requireWithinQuotas(store: Transaction): Promise<void> {
  for (const change of store.usage.changes()) {
    const owner = change.adds ? await limitedOwner(store.records, change.scope) : null
    if (!owner || !isLimited(owner, change)) continue
    const { unfolded, ...stored } = await store.usage.of(change.scope)
    if (unfolded > foldedAt) await store.usage.fold(foldedAt)
    for (const member of members)
      requireMember(owner, member, { used: stored[member] - change[member], adds: change[member] })
  }
}

/**
 * Refuses an addition before its bytes are sent, by the quotas of the repository and the caller.
 * Concurrent calls may together exceed a quota here; the final transaction checks again. Errors:
 * `quota_exceeded`.
 */
export async function requireQuotaFor(
  { identity, store }: { readonly identity: Identity; readonly store: StoreReader },
  repositoryId: string,
  adds: Partial<Pick<UsageChange, (typeof members)[number]>>,
): Promise<void> {
  const change = { items: 0, versions: 0, bytes: 0, ...adds }
  const scopes = [
    { of: 'repository', id: repositoryId },
    { of: 'account', id: identity.ref.userName },
  ] as const
  for (const scope of scopes) {
    const owner = await limitedOwner(store.records, scope)
    if (!owner || !isLimited(owner, change)) continue
    const stored = await store.usage.of(scope)
    for (const member of members) requireMember(owner, member, { used: stored[member], adds: change[member] })
  }
}

/** The owner of a quota, and its name for people. */
interface Owner {
  readonly scope: UsageScope
  readonly name: string
  readonly quota: Quota
}

async function limitedOwner(records: RecordReader, scope: UsageScope): Promise<Owner | null> {
  const { of, id } = scope
  if (of === 'repository') {
    const repository = await records.get('repository', id)
    return repository && { scope, quota: repository.settings.quota, name: `repository "${repository.name}"` }
  }
  const account = (await records.get('user', id)) ?? (await records.get('serviceAccount', id))
  return account?.settings ? { scope, quota: account.settings.quota, name: `account "${id}"` } : null
}

function isLimited({ quota }: Owner, change: Pick<UsageChange, (typeof members)[number]>): boolean {
  return members.some((member) => quota[member] !== null && change[member] > 0)
}

function requireMember(
  { scope, name, quota }: Owner,
  member: (typeof members)[number],
  { used, adds }: { used: number; adds: number },
): void {
  const limit = quota[member]
  if (limit === null || adds <= 0 || used + adds <= limit) return
  throw new QuireError(
    'quota_exceeded',
    `The ${name} has a quota of ${limit} ${member}, of which ${used} are used, and this adds ${adds}: delete what is not needed (it counts until it is purged), or have settings.quota.${member} raised.`,
    { details: { ...scope, quota: member, used, adds, limit } },
  )
}

/** The usage of a scope, in the form that is sent to callers. */
export async function usageOf(
  { usage }: Pick<StoreReader, 'usage'>,
  scope: UsageScope,
  quota: Quota,
): Promise<{ bytes: number; items: number; versions: number; quota: Quota }> {
  const { bytes, items, versions } = await usage.of(scope)
  return { bytes, items, versions, quota }
}
