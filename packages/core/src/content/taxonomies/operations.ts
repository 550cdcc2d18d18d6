import {
  type Contract,
  type OutputOf,
  type ParsedOf,
  type Taxonomy,
  QuireError,
  everyField,
  type Field,
} from '@quire/contract'
import type { Answer, Serialized } from '../../engine/answer.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import type { Call } from '../../engine/call.ts'
import { namesOf, reportDeletion, saveAndSerialize } from '../structure/change.ts'
import { contentOf } from '../structure/content.ts'
import { openStructure, openHead } from '../structure/find.ts'
import { listByName, readStructure } from '../structure/reads.ts'
import { taxonomyRules as rules } from './kinds.ts'
import { deleteStructure } from '../structure/save.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { rulesOf } from '../fields/index.ts'
import { categoriesAt, removeCategories, requireRecursive } from './category-operations.ts'

export { deleteTaxonomy as delete }
export { getTaxonomy as get, listTaxonomies as list }
export { createTaxonomy as create, updateTaxonomy as update }

type Group = Contract['taxonomies']

/**
 * Lists taxonomies by name. Errors: `not_found`, `forbidden`; `invalid` for a cursor of another
 * list.
 */
async function listTaxonomies(
  call: Call,
  input: ParsedOf<Group['list']>,
): Promise<Answer<OutputOf<Group['list']>>> {
  const scope = await openStructure(call, input, [rules.keys.read])
  return listByName(call, scope, { rules, input })
}

/** Reads a taxonomy, now or as it was at a given time. Errors: `not_found`, `forbidden`. */
function getTaxonomy(call: Call, input: ParsedOf<Group['get']>): Promise<Serialized<Taxonomy>> {
  return readStructure(call, input, rules)
}

/**
 * Creates a taxonomy. Errors: `not_found` for the repository or package, `forbidden`, `name_taken`,
 * `invalid_state`.
 */
function createTaxonomy(
  call: Call,
  { name, description, ...ref }: ParsedOf<Group['create']>,
): Promise<Serialized<Taxonomy>> {
  return call.write(async (call) => {
    const scope = await openStructure(call, ref, [rules.keys.read, rules.keys.create])
    const content = { name, description, parentId: null }
    return saveAndSerialize(call, { rules, scope, previous: null, content })
  })
}

/**
 * Updates the members that are sent. Errors: `not_found`, `forbidden`, `precondition_failed`,
 * `name_taken`, `invalid_state`.
 */
function updateTaxonomy(
  call: Call,
  { name, description, ...ref }: ParsedOf<Group['update']>,
): Promise<Serialized<Taxonomy>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openHead(call, ref, { rules, act: 'update' })
    const content = { ...contentOf(previous), ...sentMembers({ name, description }) }
    return saveAndSerialize(call, { rules, scope, previous, content })
  })
}

type Delete = Contract['taxonomies']['delete']

/**
 * Soft-deletes a taxonomy. With `recursive` it also deletes its categories and removes them from
 * their items. With `dryRun` the answer lists what would be deleted.
 * Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`; `referenced` if it has
 * categories and `recursive` is not set, for more than 1 000 categories or items, and if a content
 * type has a field for its categories.
 */
function deleteTaxonomy(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Delete>,
): Promise<OutputOf<Delete>> {
  return call.write(async (call) => {
    const { scope, head } = await openHead(call, ref, { rules, act: 'delete' })
    return reportDeletion(call, { rules, scope, head, dryRun }, async () => {
      await requireUnusedByTypes(call, head.id)
      const first = { field: { path: 'taxonomyId', list: false }, op: 'eq', value: head.id } as const
      const categories = await categoriesAt(call.store, scope.branch, { first })
      requireRecursive(recursive, { what: 'taxonomy', count: categories.length })
      const decategorized = await removeCategories(call, { scope, categories })
      await deleteStructure(call, { rules, scope, previous: head })
      return { categories: namesOf(categories), decategorized }
    })
  })
}

/**
 * Errors: `referenced` if a content type has a field for categories of the taxonomy. Names the
 * types if the caller may view them.
 */
async function requireUnusedByTypes(call: Call, taxonomyId: string): Promise<void> {
  const types = await call.store.records.list('type')
  const using = types.filter(({ fields }) => hasFieldFor(fields, taxonomyId)).map(({ name }) => name)
  if (using.length === 0) return
  const mayViewTypes = mayDo(call.identity.permissions, 'admin.types.view')
  throw new QuireError('referenced', 'Content types have fields for categories of this taxonomy.', {
    details: { count: using.length, ...(mayViewTypes && { types: using }) },
  })
}

function hasFieldFor(fields: readonly Field[], taxonomyId: string): boolean {
  return everyField(fields).some((field) => rulesOf(field).target?.(field.settings).taxonomyId === taxonomyId)
}
