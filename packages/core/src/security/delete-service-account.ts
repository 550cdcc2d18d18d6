import type { Contract, ParsedOf } from '@quire/contract'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { findServiceAccount, requireAssignable } from './account.ts'

/** Deletes a service account; its tokens are refused with the next call. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function deleteServiceAccount(
  call: Call,
  { id }: ParsedOf<Contract['serviceAccounts']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'security.serviceAccounts.update')
  return call.transaction(async (tx) => {
    const account = await findServiceAccount(within(call, tx), id)
    await requireAssignable(call, tx.records, account)
    await tx.records.delete('serviceAccount', id, account.revision)
    await tx.journal.record(recordEvent(call, 'SERVICE_ACCOUNT_DELETED', { kind: 'serviceAccount', id }))
    return undefined
  })
}
