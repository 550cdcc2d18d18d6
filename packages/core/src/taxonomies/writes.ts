import type { Contract, ParsedOf, Taxonomy } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { contentOf } from '../structure/content.ts'
import { openHead, openStructure } from '../structure/find.ts'
import { presentOne } from '../structure/present.ts'
import { saveStructure } from '../structure/save.ts'
import { taxonomyRules as rules } from './kinds.ts'

type Group = Contract['taxonomies']

/** Creates a taxonomy. Errors: `not_found` for the repository or package, `forbidden`, `name_taken`, `invalid_state`. */
export function createTaxonomy(
  call: Call,
  { name, description, ...ref }: ParsedOf<Group['create']>,
): Promise<Presented<Taxonomy>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await openStructure(inside, ref, [rules.keys.read, rules.keys.create])
    const content = { name, description, parentId: null }
    const head = await saveStructure(inside, tx, { rules, place, previous: null, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`. */
export function updateTaxonomy(
  call: Call,
  { name, description, ...ref }: ParsedOf<Group['update']>,
): Promise<Presented<Taxonomy>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, head: previous } = await openHead(inside, ref, { rules, act: 'update' })
    const before = contentOf(previous)
    const content = {
      name: name ?? before.name,
      description: description ?? before.description,
      parentId: null,
    }
    const head = await saveStructure(inside, tx, { rules, place, previous, content })
    return presentOne(inside, place.line, { rules, head })
  })
}
