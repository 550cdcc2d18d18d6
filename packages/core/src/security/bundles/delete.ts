import { QuireError, type Contract, type ParsedOf } from '@quire/contract'
import { requirePermission, type Call } from '../../call/call.ts'
import { securityEvent } from '../audit.ts'
import { requireGrantable } from '../grantable.ts'
import { findBundle, grantsOfBundle } from './find.ts'

/** Deletes a bundle that no role has. Errors: `not_found`, `forbidden`, `bundle_in_use`, `invalid_state`, `precondition_failed`. */
export async function deleteBundle(
  call: Call,
  { id }: ParsedOf<Contract['bundles']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'security.roles.update')
  return call.transaction(async (tx) => {
    const bundle = await findBundle(call, tx.records, id)
    requireGrantable(call, grantsOfBundle(bundle))
    const holders = (await tx.records.list('role')).filter(({ bundles }) => bundles.includes(id))
    if (holders.length > 0)
      throw new QuireError('bundle_in_use', undefined, { details: { roles: holders.map((role) => role.id) } })
    await tx.records.delete('bundle', id, bundle.revision)
    await tx.journal.record(securityEvent(call, 'BUNDLE_DELETED', { kind: 'bundle', id, before: bundle }))
    return undefined
  })
}
