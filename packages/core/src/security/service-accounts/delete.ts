import type { Contract, ParsedOf } from '@quire/contract'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { securityEvent } from '../audit.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { findServiceAccount, requireAssignableAccount } from './account.ts'

/** Deletes a service account; its tokens are refused with the next call. Errors: `not_found`, `forbidden`, `precondition_failed`, `last_administrator`. */
export async function deleteServiceAccount(
  call: Call,
  { id }: ParsedOf<Contract['serviceAccounts']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'security.serviceAccounts.update')
  return call.transaction(async (tx) => {
    const account = await findServiceAccount(within(call, tx), id)
    await requireAssignableAccount(call, tx.records, account)
    await tx.records.delete('serviceAccount', id, account.revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(
      securityEvent(call, 'SERVICE_ACCOUNT_DELETED', { kind: 'serviceAccount', id, before: account }),
    )
    return undefined
  })
}
