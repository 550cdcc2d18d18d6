import type { Contract, ParsedOf, ServiceAccount } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { securityEvent } from '../audit.ts'
import { sentMembers } from '../../call/records.ts'
import type { ServiceAccountRecord } from '../../ports/index.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { findServiceAccount, presentAccount, requireAssignableAccount } from './account.ts'

/**
 * Changes what is sent; a disabled account's tokens are refused with the next call.
 * Errors: `not_found`, `precondition_failed`, `last_administrator`; `forbidden` when its roles, before or after, give what the caller lacks.
 */
export async function updateServiceAccount(
  call: Call,
  { id, ...patch }: ParsedOf<Contract['serviceAccounts']['update']>,
): Promise<Presented<ServiceAccount>> {
  requirePermission(call, 'security.serviceAccounts.update')
  return call.transaction(async (tx) => {
    const { revision, ...account } = await findServiceAccount(within(call, tx), id)
    const sent = sentMembers(patch)
    // What was issued before stays refused when it is enabled again.
    const epoch = patch.enabled === false && account.enabled ? account.epoch + 1 : account.epoch
    const changed: ServiceAccountRecord = { ...account, ...sent, epoch, updatedDate: call.now }
    await requireAssignableAccount(call, tx.records, account)
    await requireAssignableAccount(call, tx.records, changed)
    const stored = await tx.records.put('serviceAccount', changed, revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(
      securityEvent(call, 'SERVICE_ACCOUNT_UPDATED', {
        kind: 'serviceAccount',
        id,
        before: account,
        after: changed,
      }),
    )
    return presentAccount(within(call, tx), stored)
  })
}
