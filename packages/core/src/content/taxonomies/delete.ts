import {
  QuireError,
  everyField,
  type Contract,
  type Field,
  type OutputOf,
  type ParsedOf,
} from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { rulesOf } from '../fields/index.ts'
import { requireOpen } from '../../engine/scope.ts'
import { openHead } from '../structure/find.ts'
import { serializeOne } from '../structure/json.ts'
import { deleteStructure } from '../structure/save.ts'
import { categoriesAt, removeCategories, requireRecursive } from './delete-category.ts'
import { taxonomyRules as rules } from './kinds.ts'

type Delete = Contract['taxonomies']['delete']

/**
 * Deletes a taxonomy softly, with `recursive` its categories too, which are taken from their items. With `dryRun` it answers what would go.
 * Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`; `referenced` without `recursive` for one with categories, past 1 000
 * categories or items, and while a content type has a field for its categories.
 */
export function deleteTaxonomy(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Delete>,
): Promise<OutputOf<Delete>> {
  return call.write(async (call) => {
    const { scope, head } = await openHead(call, ref, { rules, act: 'delete' })
    requireOpen(scope.package)
    const deleted = await serializeOne(call, scope.branch, { rules, head })
    await requireUnusedByTypes(call, head.id)
    const ofIt = { field: { path: 'taxonomyId', list: false }, op: 'eq', value: head.id } as const
    const categories = await categoriesAt(call.store, scope.branch, { first: ofIt })
    requireRecursive(recursive, { what: 'taxonomy', count: categories.length })
    const decategorized = await removeCategories(call, { scope, categories })
    await deleteStructure(call, { rules, scope, previous: head })
    if (dryRun !== true) return undefined
    return {
      deleted: deleted.value(),
      categories: categories.map(({ id, name }) => ({ id, name })),
      decategorized,
    }
  })
}

/** Errors: `referenced`; it names the content types to those who may see them. */
async function requireUnusedByTypes(call: Call, taxonomyId: string): Promise<void> {
  const types = await call.store.records.list('type')
  const using = types.filter(({ fields }) => nameTaxonomy(fields, taxonomyId)).map(({ name }) => name)
  if (using.length === 0) return
  const isSeen = mayDo(call.identity.permissions, 'admin.types.view')
  throw new QuireError('referenced', 'Content types have fields for categories of this taxonomy.', {
    details: { count: using.length, ...(isSeen && { types: using }) },
  })
}

function nameTaxonomy(fields: readonly Field[], taxonomyId: string): boolean {
  return everyField(fields).some((field) => rulesOf(field).target?.(field.settings).taxonomyId === taxonomyId)
}
