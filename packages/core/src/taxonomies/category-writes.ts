import type { Category, Contract, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { contentOf, type StructureContent } from '../structure/content.ts'
import { presentOne } from '../structure/present.ts'
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
): Promise<Presented<Category>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await openTaxonomy(inside, ref, ['read', 'create'])
    const content = { name, description, parentId, order, taxonomyId: ref.taxonomyId }
    const head = await saveStructure(inside, tx, { rules, place, previous: null, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`. */
export function updateCategory(call: Call, input: ParsedOf<Group['update']>): Promise<Presented<Category>> {
  return changeCategory(call, input, input)
}

/** Moves a category with all that stands in it. Errors: as an update; `invalid` when it cannot stand there. */
export function moveCategory(call: Call, input: ParsedOf<Group['move']>): Promise<Presented<Category>> {
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
): Promise<Presented<Category>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, head: previous } = await openCategory(inside, ref, 'update')
    const before: StructureContent = contentOf(previous)
    const content = {
      ...before,
      name: name ?? before.name,
      description: description ?? before.description,
      parentId: parentId === undefined ? before.parentId : parentId,
      order: order ?? before['order'] ?? 0,
    }
    const head = await saveStructure(inside, tx, { rules, place, previous, content })
    return presentOne(inside, place.line, { rules, head })
  })
}
