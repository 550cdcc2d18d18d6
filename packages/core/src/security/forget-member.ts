import type { Call } from '../call/call.ts'
import type { Transaction } from '../ports/index.ts'
import { securityEvent } from './audit.ts'

/**
 * Takes a user or group out of every role, group and account that names it: one that is created later under the same id has nothing of
 * it (TRUST S31). Each is told in the audit.
 */
export async function forgetMember(
  call: Call,
  tx: Transaction,
  { kind, id }: { kind: 'user' | 'group'; id: string },
): Promise<void> {
  const member = kind === 'user' ? 'users' : 'groups'
  await forgetIn(call, tx, { holder: 'role', event: 'ROLE_UPDATED', member, id })
  await forgetIn(call, tx, { holder: 'group', event: 'GROUP_UPDATED', member, id })
  if (kind === 'user') return
  await forgetIn(call, tx, { holder: 'user', event: 'USER_UPDATED', member: 'groups', id })
  await forgetIn(call, tx, {
    holder: 'serviceAccount',
    event: 'SERVICE_ACCOUNT_UPDATED',
    member: 'groups',
    id,
  })
}

interface Forgetting {
  readonly holder: 'role' | 'group' | 'user' | 'serviceAccount'
  readonly event: 'ROLE_UPDATED' | 'GROUP_UPDATED' | 'USER_UPDATED' | 'SERVICE_ACCOUNT_UPDATED'
  readonly member: 'users' | 'groups'
  readonly id: string
}

async function forgetIn(
  call: Call,
  tx: Transaction,
  { holder, event, member, id }: Forgetting,
): Promise<void> {
  for (const { revision, ...record } of await tx.records.list(holder)) {
    const ids: readonly string[] = member in record ? Reflect.get(record, member) : []
    if (!ids.includes(id)) continue
    const changed = { ...record, [member]: ids.filter((other) => other !== id) }
    await tx.records.put(holder, changed, revision)
    await tx.journal.record(
      securityEvent(call, event, { kind: holder, id: record.id, before: record, after: changed }),
    )
  }
}
