import type { Contract, OutputOf, ParsedOf, Taxonomy } from '@quire/contract'
import type { Answer, Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findStructure, openStructure } from '../structure/find.ts'
import { serializeOne } from '../structure/json.ts'
import { listByName, serializeAt } from '../structure/reads.ts'
import { taxonomyRules as rules } from './kinds.ts'

type Group = Contract['taxonomies']

/** Taxonomies by name. Errors: `not_found`, `forbidden`, `invalid` for a cursor of another list. */
export async function listTaxonomies(
  call: Call,
  input: ParsedOf<Group['list']>,
): Promise<Answer<OutputOf<Group['list']>>> {
  const scope = await openStructure(call, input, [rules.keys.read])
  return listByName(call, scope, { rules, input })
}

/** A taxonomy, or what it was at a time. Errors: `not_found`, `forbidden`. */
export async function getTaxonomy(
  call: Call,
  { id, at, ...ref }: ParsedOf<Group['get']>,
): Promise<Serialized<Taxonomy>> {
  const scope = await openStructure(call, ref, [rules.keys.read])
  if (at !== undefined && at < call.now) return serializeAt(call, scope, { rules, id, at })
  return serializeOne(call, scope.branch, { rules, head: await findStructure(call, scope, { rules, id }) })
}
