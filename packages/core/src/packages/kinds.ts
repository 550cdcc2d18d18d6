import { folderKind } from '../folders/kind.ts'
import { itemKind } from '../items/line-kind.ts'
import type { LineKind } from '../lines/line-kind.ts'
import type { EntityKind } from '../ports/index.ts'
import { pageKind, sectionKind, siteKind } from '../sites/line-kinds.ts'
import { categoryKind, taxonomyKind } from '../taxonomies/kinds.ts'

/**
 * The kinds that packages can hold, in the order in which a merge writes them: what others refer to comes first. A kind that comes
 * to be costs its declaration and one line here.
 */
export const lineKinds: readonly LineKind[] = [
  taxonomyKind,
  categoryKind,
  folderKind,
  itemKind,
  siteKind,
  sectionKind,
  pageKind,
]

const byKind: ReadonlyMap<EntityKind, LineKind> = new Map(lineKinds.map((rules) => [rules.kind, rules]))

/** The rules of a kind. Nothing of a kind without rules is ever written into a package. */
export function rulesOf(kind: EntityKind): LineKind {
  const rules = byKind.get(kind)
  if (!rules) throw new TypeError(`There are no rules for ${kind} in packages.`)
  return rules
}
