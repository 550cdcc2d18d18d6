import type { Contract, ParsedOf, Taxonomy } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { contentOf } from '../structure/content.ts'
import { openHead, openStructure } from '../structure/find.ts'
import { serializeOne } from '../structure/json.ts'
import { saveStructure } from '../structure/save.ts'
import { taxonomyRules as rules } from './kinds.ts'

type Group = Contract['taxonomies']

/** Creates a taxonomy. Errors: `not_found` for the repository or package, `forbidden`, `name_taken`, `invalid_state`. */
export function createTaxonomy(
  call: Call,
  { name, description, ...ref }: ParsedOf<Group['create']>,
): Promise<Serialized<Taxonomy>> {
  return call.write(async (call) => {
    const scope = await openStructure(call, ref, [rules.keys.read, rules.keys.create])
    const content = { name, description, parentId: null }
    const head = await saveStructure(call, { rules, scope, previous: null, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`. */
export function updateTaxonomy(
  call: Call,
  { name, description, ...ref }: ParsedOf<Group['update']>,
): Promise<Serialized<Taxonomy>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openHead(call, ref, { rules, act: 'update' })
    const before = contentOf(previous)
    const content = {
      name: name ?? before.name,
      description: description ?? before.description,
      parentId: null,
    }
    const head = await saveStructure(call, { rules, scope, previous, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}
