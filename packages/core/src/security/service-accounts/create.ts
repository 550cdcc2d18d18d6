import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { requirePermission, type Call } from '../../call/call.ts'
import { securityEvent } from '../audit.ts'
import type { ServiceAccountRecord } from '../../ports/index.ts'
import { newSecret, requireAssignableAccount, showAccount } from './account.ts'

type Create = Contract['serviceAccounts']['create']

/**
 * Creates a service account and shows its secret, once (specification 4.5, 5.2.4).
 * Errors: `forbidden` when its roles give what the caller lacks; `invalid` naming an unknown role or group.
 */
export async function createServiceAccount(call: Call, input: ParsedOf<Create>): Promise<OutputOf<Create>> {
  requirePermission(call, 'security.serviceAccounts.update')
  const { secret, stored } = await newSecret(call)
  const record: ServiceAccountRecord = {
    id: call.environment.ids.next('SVCA'),
    ...input,
    enabled: true,
    secrets: [stored],
    epoch: 1,
    createdDate: call.now,
    updatedDate: call.now,
  }
  return call.transaction(async (tx) => {
    await requireAssignableAccount(call, tx.records, record)
    const account = await tx.records.put('serviceAccount', record, 0)
    await tx.journal.record(
      securityEvent(call, 'SERVICE_ACCOUNT_CREATED', {
        kind: 'serviceAccount',
        id: record.id,
        after: record,
      }),
    )
    return { ...(await showAccount(call, account)), secret }
  })
}
