import type { Category, Contract, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { requireHeadMatch } from '../call/head-tag.ts'
import type { Place, PlaceRef } from '../lines/lines.ts'
import type { Entity } from '../ports/index.ts'
import { contentOf } from '../structure/content.ts'
import { findStructure, noSuch, openStructure } from '../structure/find.ts'
import { presentOne } from '../structure/present.ts'
import { presentAt } from '../structure/reads.ts'
import { categoryRules as rules, taxonomyRules } from './kinds.ts'

/** How an input names a category. */
export interface CategoryRef extends PlaceRef {
  readonly taxonomyId: string
  readonly id: string
}

/** A live category of a taxonomy. Errors: `not_found`. */
async function findCategory(call: Call, place: Place, { taxonomyId, id }: CategoryRef): Promise<Entity> {
  const head = await findStructure(call, place, { rules, id })
  if (contentOf(head)['taxonomyId'] !== taxonomyId) throw noSuch(rules)
  return head
}

/** A live taxonomy, and where, for a caller who holds the keys there. Errors: `not_found`, `forbidden`. */
export async function openTaxonomy(
  call: Call,
  { taxonomyId, ...ref }: PlaceRef & { readonly taxonomyId: string },
  acts: readonly ('read' | 'create')[],
): Promise<Place> {
  const place = await openStructure(
    call,
    ref,
    acts.map((act) => rules.keys[act]),
  )
  await findStructure(call, place, { rules: taxonomyRules, id: taxonomyId })
  return place
}

/** A live category that is to be changed, and where. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function openCategory(
  call: Call,
  ref: CategoryRef,
  act: 'update' | 'delete',
): Promise<{ place: Place; head: Entity }> {
  const place = await openStructure(call, ref, [rules.keys.read, rules.keys[act]])
  const head = await findCategory(call, place, ref)
  requireHeadMatch(call, head)
  return { place, head }
}

/** A category, or what it was at a time. Errors: `not_found`, `forbidden`. */
export async function getCategory(
  call: Call,
  { at, ...ref }: ParsedOf<Contract['categories']['get']>,
): Promise<Presented<Category>> {
  const place = await openStructure(call, ref, [rules.keys.read])
  if (at === undefined || at >= call.now)
    return presentOne(call, place.line, { rules, head: await findCategory(call, place, ref) })
  const past = await presentAt(call, place, { rules, id: ref.id, at })
  if (past.value().taxonomyId !== ref.taxonomyId) throw noSuch(rules)
  return past
}
