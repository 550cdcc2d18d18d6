import type { Category, Contract, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { contentOf, type StructureContent } from '../structure/content.ts'
import { serializeOne } from '../structure/json.ts'
import { saveStructure } from '../structure/save.ts'
import { openCategory, openTaxonomy } from './category.ts'
import { categoryRules as rules } from './kinds.ts'

type Group = Contract['categories']

/**
 * Creates a category. Errors: `not_found` for the repository, package or taxonomy, `forbidden`, `name_taken`, `invalid` when it cannot stand
 * there, `invalid_state`.
 */
export function createCategory(
  call: Call,
  { name, description, parentId, order, ...ref }: ParsedOf<Group['create']>,
): Promise<Serialized<Category>> {
  return call.write(async (call) => {
    const scope = await openTaxonomy(call, ref, ['read', 'create'])
    const content = { name, description, parentId, order, taxonomyId: ref.taxonomyId }
    const head = await saveStructure(call, { rules, scope, previous: null, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`. */
export function updateCategory(call: Call, input: ParsedOf<Group['update']>): Promise<Serialized<Category>> {
  return changeCategory(call, input, input)
}

/** Moves a category with all that stands in it. Errors: as an update; `invalid` when it cannot stand there. */
export function moveCategory(call: Call, input: ParsedOf<Group['move']>): Promise<Serialized<Category>> {
  return changeCategory(call, input, input)
}

interface Change {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly parentId?: string | null | undefined
  readonly order?: number | undefined
}

function changeCategory(
  call: Call,
  ref: ParsedOf<Group['update']>,
  { name, description, parentId, order }: Change,
): Promise<Serialized<Category>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openCategory(call, ref, 'update')
    const before: StructureContent = contentOf(previous)
    const content = {
      ...before,
      name: name ?? before.name,
      description: description ?? before.description,
      parentId: parentId === undefined ? before.parentId : parentId,
      order: order ?? before['order'] ?? 0,
    }
    const head = await saveStructure(call, { rules, scope, previous, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}
