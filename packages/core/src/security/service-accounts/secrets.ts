import { QuireError, type Contract, type OutputOf, type ParsedOf, type ServiceAccount } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { securityEvent } from '../audit.ts'
import type { JournalEntry, ServiceAccountRecord } from '../../ports/index.ts'
import {
  findServiceAccount,
  newSecret,
  presentAccount,
  requireAssignableAccount,
  requireRoomForSecret,
  showAccount,
} from './account.ts'

type Group = Contract['serviceAccounts']

/** Adds a secret beside the one in use, shown once. Errors: `not_found`, `forbidden`, `invalid_state` when there are two. */
export async function addSecret(
  call: Call,
  { id }: ParsedOf<Group['addSecret']>,
): Promise<OutputOf<Group['addSecret']>> {
  requirePermission(call, 'security.serviceAccounts.update')
  const { secret, stored: added } = await newSecret(call)
  return call.transaction(async (tx) => {
    const { revision, ...account } = await findServiceAccount(within(call, tx), id)
    await requireAssignableAccount(call, tx.records, account)
    requireRoomForSecret(account)
    const changed = { ...account, secrets: [...account.secrets, added], updatedDate: call.now }
    const stored = await tx.records.put('serviceAccount', changed, revision)
    await tx.journal.record(secretEvent(call, account, changed))
    return { ...(await showAccount(within(call, tx), stored)), secret }
  })
}

/**
 * Removes a secret; tokens issued before are refused with the next call.
 * Errors: `not_found`, `forbidden`, `invalid_state` for the last secret.
 */
export async function removeSecret(
  call: Call,
  { id, secretId }: ParsedOf<Group['removeSecret']>,
): Promise<Presented<ServiceAccount>> {
  requirePermission(call, 'security.serviceAccounts.update')
  return call.transaction(async (tx) => {
    const { revision, ...account } = await findServiceAccount(within(call, tx), id)
    await requireAssignableAccount(call, tx.records, account)
    const secrets = account.secrets.filter((secret) => secret.id !== secretId)
    if (secrets.length === account.secrets.length)
      throw new QuireError('not_found', `There is no secret "${secretId}".`)
    if (secrets.length === 0) {
      throw new QuireError(
        'invalid_state',
        'This is the last secret: add another first, or disable the account.',
      )
    }
    const changed = { ...account, secrets, epoch: account.epoch + 1, updatedDate: call.now }
    const stored = await tx.records.put('serviceAccount', changed, revision)
    await tx.journal.record(secretEvent(call, account, changed))
    return presentAccount(within(call, tx), stored)
  })
}

/** Tells which secrets came and went, by their ids. */
function secretEvent(call: Call, before: ServiceAccountRecord, after: ServiceAccountRecord): JournalEntry {
  const ids = ({ secrets }: ServiceAccountRecord) => ({ secretIds: secrets.map(({ id }) => id) })
  return securityEvent(call, 'SERVICE_ACCOUNT_UPDATED', {
    kind: 'serviceAccount',
    id: before.id,
    before: ids(before),
    after: ids(after),
  })
}
