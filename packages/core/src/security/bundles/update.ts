import type { Bundle, Contract, ParsedOf } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import { sentMembers } from '../../call/records.ts'
import type { BundleRecord } from '../../ports/index.ts'
import { securityEvent } from '../audit.ts'
import { requireGrantable } from '../grantable.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { findBundle, grantsOfBundle, presentBundle } from './find.ts'

/**
 * Changes what is sent, for every role that has the bundle.
 * Errors: `not_found`, `forbidden`, `invalid_state` for a built-in one, `last_administrator`, `precondition_failed`.
 */
export async function updateBundle(
  call: Call,
  { id, ...patch }: ParsedOf<Contract['bundles']['update']>,
): Promise<Presented<Bundle>> {
  requirePermission(call, 'security.roles.update')
  return call.transaction(async (tx) => {
    const { revision, ...bundle } = await findBundle(call, tx.records, id)
    const changed: BundleRecord = { ...bundle, ...sentMembers(patch) }
    requireGrantable(call, [...grantsOfBundle(bundle), ...grantsOfBundle(changed)])
    const stored = await tx.records.put('bundle', changed, revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(
      securityEvent(call, 'BUNDLE_UPDATED', { kind: 'bundle', id, before: bundle, after: changed }),
    )
    return presentBundle(stored)
  })
}
