import type { Contract, OutputOf, ParsedOf, Taxonomy } from '@quire/contract'
import type { Answer, Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { findStructure, openStructure } from '../structure/find.ts'
import { presentOne } from '../structure/present.ts'
import { listByName, presentAt } from '../structure/reads.ts'
import { taxonomyRules as rules } from './kinds.ts'

type Group = Contract['taxonomies']

/** Taxonomies by name. Errors: `not_found`, `forbidden`, `invalid` for a cursor of another list. */
export async function listTaxonomies(
  call: Call,
  input: ParsedOf<Group['list']>,
): Promise<Answer<OutputOf<Group['list']>>> {
  const place = await openStructure(call, input, [rules.keys.read])
  return listByName(call, place, { rules, input })
}

/** A taxonomy, or what it was at a time. Errors: `not_found`, `forbidden`. */
export async function getTaxonomy(
  call: Call,
  { id, at, ...ref }: ParsedOf<Group['get']>,
): Promise<Presented<Taxonomy>> {
  const place = await openStructure(call, ref, [rules.keys.read])
  if (at !== undefined && at < call.now) return presentAt(call, place, { rules, id, at })
  return presentOne(call, place.line, { rules, head: await findStructure(call, place, { rules, id }) })
}
