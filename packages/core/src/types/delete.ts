import { QuireError, type Contract, type ParsedOf } from '@quire/contract'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { findType, requireUnlocked } from './find.ts'
import { moveGrants } from './grants.ts'
import { hasItems } from './uses.ts'

/** Deletes a content type without items. Errors: `not_found`, `type_locked`, `type_in_use`. */
export async function deleteType(
  call: Call,
  { id }: ParsedOf<Contract['types']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'admin.types.update')
  return call.transaction(async (tx) => {
    const type = await findType(within(call, tx), id)
    requireUnlocked(type)
    if (await hasItems(tx, type.name))
      throw new QuireError('type_in_use', `Items of the content type "${type.name}" exist.`)
    await moveGrants(call, tx, { type: type.name, to: null })
    await tx.records.delete('type', type.id, type.revision)
    await tx.journal.record(recordEvent(call, 'TYPE_DELETED', { kind: 'type', id: type.id }))
    return undefined
  })
}
