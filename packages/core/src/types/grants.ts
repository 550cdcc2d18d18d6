import type { Transaction } from '../ports/index.ts'

/**
 * Takes what roles grant on a content type to its new name, or away with the type: one that is made later under the same name begins
 * without (TRUST S31).
 */
export async function moveGrants(tx: Transaction, type: string, to: string | null): Promise<void> {
  const suffix = `:${type}`
  for (const { revision, ...role } of await tx.records.list('role')) {
    const entries = Object.entries(role.permissions.repos)
    if (!entries.some(([name]) => name.endsWith(suffix))) continue
    const moved = entries.flatMap(([name, keys]) => {
      if (!name.endsWith(suffix)) return [[name, keys] as const]
      return to === null ? [] : [[`${name.slice(0, -type.length)}${to}`, keys] as const]
    })
    const permissions = { ...role.permissions, repos: Object.fromEntries(moved) }
    await tx.records.put('role', { ...role, permissions }, revision)
  }
}
