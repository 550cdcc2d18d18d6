import { limits, QuireError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { Place } from '../lines/lines.ts'
import { levelsOf } from '../structure/levels.ts'
import { atTop } from '../structure/order.ts'
import { openTaxonomy } from '../taxonomies/category.ts'

/** A category that can be chosen. */
export interface Choice {
  readonly id: string
  readonly name: string
}

/** The categories of a taxonomy that the caller may read. Errors: `not_found`, `forbidden`, `too_large` for more than a model is shown. */
export async function choices(
  call: Call,
  { repository, package: inPackage, line }: Place,
  taxonomyId: string,
): Promise<readonly Choice[]> {
  const packageName = inPackage?.name
  await openTaxonomy(call, { configId: repository.id, packageName, taxonomyId }, ['read'])
  const inTaxonomy = { field: { path: 'taxonomyId', list: false }, op: 'eq', value: taxonomyId } as const
  const first = { all: [inTaxonomy, atTop] }
  const most = limits.taskCategories
  const nodes = await levelsOf(call.store.entities, line, { kind: 'category', first, most })
  if (nodes.length > most)
    throw new QuireError('too_large', `A model chooses from at most ${most} categories.`)
  return nodes.map(({ head, kept }) => ({ id: head.id, name: kept.name }))
}
