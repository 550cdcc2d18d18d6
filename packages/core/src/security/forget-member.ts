import type { Transaction } from '../ports/index.ts'

/**
 * Takes a user or group out of every role, group and account that names it: one that is created later under the same id has nothing of
 * it (TRUST S31).
 */
export async function forgetMember(
  tx: Transaction,
  { kind, id }: { kind: 'user' | 'group'; id: string },
): Promise<void> {
  const member = kind === 'user' ? 'users' : 'groups'
  const without = (ids: readonly string[]) => ids.filter((other) => other !== id)
  for (const { revision, ...role } of await tx.records.list('role'))
    if (role[member].includes(id))
      await tx.records.put('role', { ...role, [member]: without(role[member]) }, revision)
  for (const { revision, ...group } of await tx.records.list('group'))
    if (group[member].includes(id))
      await tx.records.put('group', { ...group, [member]: without(group[member]) }, revision)
  if (kind === 'user') return
  for (const { revision, ...user } of await tx.records.list('user'))
    if (user.groups.includes(id))
      await tx.records.put('user', { ...user, groups: without(user.groups) }, revision)
  for (const { revision, ...account } of await tx.records.list('serviceAccount'))
    if (account.groups.includes(id))
      await tx.records.put('serviceAccount', { ...account, groups: without(account.groups) }, revision)
}
