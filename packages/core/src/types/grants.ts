import type { Call } from '../call/call.ts'
import { securityEvent } from '../security/audit.ts'
import type { Transaction } from '../ports/index.ts'

/**
 * Takes what roles grant on a content type to its new name, or away with the type: one that is made later under the same name begins
 * without (TRUST S31).
 */
export async function moveGrants(
  call: Call,
  tx: Transaction,
  { type, to }: { type: string; to: string | null },
): Promise<void> {
  const suffix = `:${type}`
  for (const { revision, ...role } of await tx.records.list('role')) {
    const entries = Object.entries(role.permissions.repos)
    if (!entries.some(([name]) => name.endsWith(suffix))) continue
    const repos: Record<string, string[]> = {}
    for (const [name, keys] of entries) {
      const isMoved = name.endsWith(suffix)
      if (isMoved && to === null) continue
      const at = isMoved ? `${name.slice(0, -type.length)}${to}` : name
      repos[at] = [...new Set([...(repos[at] ?? []), ...keys])]
    }
    const changed = { ...role, permissions: { ...role.permissions, repos } }
    await tx.records.put('role', changed, revision)
    await tx.journal.record(
      securityEvent(call, 'ROLE_UPDATED', { kind: 'role', id: role.id, before: role, after: changed }),
    )
  }
}
