import { QuireError, type ContentType, type Contract, type ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord } from '../call/records.ts'
import type { Transaction } from '../ports/index.ts'
import { requireSoundType } from '../types/definition.ts'
import { findType, requireUnlocked } from '../types/find.ts'
import { moveGrants } from '../types/grants.ts'
import { hasItems } from '../types/uses.ts'
import { isCompatible, isDerivedAlike } from './compatible.ts'
import { convertItems, countMisfits, rederiveItems } from './convert.ts'

type Input = ParsedOf<Contract['types']['update']>

/**
 * Changes a content type. What existing items do not fit is refused with their number, or with `migrate` they are converted:
 * all in one transaction, whole or not at all. Errors: `not_found`, `type_locked`, `name_taken`, `invalid`,
 * `type_in_use` for a new name, `type_incompatible`, `precondition_failed`.
 */
export async function updateType(
  call: Call,
  { id, migrate, ...patch }: Input,
): Promise<Presented<ContentType>> {
  requirePermission(call, 'admin.types.update')
  return call.transaction(async (tx) => {
    const { revision, ...type } = await findType(within(call, tx), id)
    requireUnlocked(type)
    const changed = patched(type, patch, call.now)
    await requireSoundType(changed)
    if (changed.name !== type.name && (await hasItems(tx, type.name))) {
      throw new QuireError(
        'type_in_use',
        'Items quote the name of their type: it cannot change while they exist.',
      )
    }
    if (changed.name !== type.name) await moveGrants(call, tx, { type: type.name, to: changed.name })
    if (!migrate) await requireFit(tx, type, changed)
    const stored = await tx.records.put('type', changed, revision)
    await tx.journal.record(recordEvent(call, 'TYPE_UPDATED', { kind: 'type', id: type.id }))
    if (migrate) await convertItems(call, tx, changed)
    if (!isDerivedAlike(type.fields, changed.fields)) await rederiveItems(call, tx, changed)
    return presentRecord<'type'>(stored)
  })
}

function patched(type: ContentType, patch: Omit<Input, 'id' | 'migrate'>, now: number): ContentType {
  const settings = Object.entries(patch.settings ?? {}).filter(([, value]) => value !== undefined)
  return {
    ...type,
    name: patch.name ?? type.name,
    displayName: patch.displayName ?? type.displayName,
    apiName: patch.apiName ?? type.apiName,
    description: patch.description ?? type.description,
    settings: { ...type.settings, ...Object.fromEntries(settings) },
    fields: patch.fields ?? type.fields,
    updatedDate: now,
  }
}

/** Errors: `type_incompatible` with the number of items that do not fit. */
async function requireFit(tx: Transaction, type: ContentType, changed: ContentType): Promise<void> {
  if (isCompatible(type.fields, changed.fields)) return
  const count = await countMisfits(tx, changed)
  if (count === 0) return
  throw new QuireError(
    'type_incompatible',
    `${count} items do not fit the changed content type: send migrate: true to convert them.`,
    {
      details: { count },
    },
  )
}
