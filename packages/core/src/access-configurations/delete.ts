import type { Contract, ParsedOf } from '@quire/contract'
import { requireMatch, requirePermission, within, type Call } from '../call/call.ts'
import { recordTag } from '../call/records.ts'
import { securityEvent } from '../security/audit.ts'
import { findConfiguration } from './reads.ts'
import { shownConfiguration } from './stored.ts'

/** Deletes an access configuration with what is sealed of it. Errors: `forbidden`, `not_found`, `precondition_failed`. */
export async function deleteAccess(
  call: Call,
  { id }: ParsedOf<Contract['access']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'admin.access.update')
  return call.transaction(async (tx) => {
    const found = await findConfiguration(within(call, tx), id)
    requireMatch(call, recordTag(found))
    await tx.records.delete('accessConfiguration', id, found.revision)
    const change = { kind: 'accessConfiguration', id, before: shownConfiguration(found) } as const
    await tx.journal.record(securityEvent(call, 'ACCESS_CONFIGURATION_DELETED', change))
    return undefined
  })
}
