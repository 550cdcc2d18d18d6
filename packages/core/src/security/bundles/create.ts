import { builtInBundles, QuireError, type Bundle, type Contract, type ParsedOf } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import type { BundleRecord } from '../../ports/index.ts'
import { securityEvent } from '../audit.ts'
import { requireGrantable } from '../grantable.ts'
import { grantsOfBundle, presentBundle } from './find.ts'

/** Creates a bundle. Errors: `forbidden` when it gives what the caller lacks; `name_taken`. */
export async function createBundle(
  call: Call,
  input: ParsedOf<Contract['bundles']['create']>,
): Promise<Presented<Bundle>> {
  requirePermission(call, 'security.roles.update')
  const { id } = input
  const bundle: BundleRecord = input
  requireGrantable(call, grantsOfBundle(bundle))
  return call.transaction(async (tx) => {
    if (Object.hasOwn(builtInBundles, id) || (await tx.records.get('bundle', id)))
      throw new QuireError('name_taken', `There is a bundle "${id}".`, { details: { id } })
    const stored = await tx.records.put('bundle', bundle, 0)
    await tx.journal.record(securityEvent(call, 'BUNDLE_CREATED', { kind: 'bundle', id, after: bundle }))
    return presentBundle(stored)
  })
}
