import { folderKind } from '../../content/folders/kind.ts'
import { itemKind } from '../../content/items/branch-kind.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import type { EntityKind } from '../../ports/index.ts'
import { pageKind, sectionKind, siteKind } from '../../delivery/sites/branch-kinds.ts'
import { categoryKind, taxonomyKind } from '../../content/taxonomies/kinds.ts'

/**
 * The kinds that packages can hold, in the order in which a merge writes them: a kind comes before
 * the kinds that refer to it. A new kind needs its declaration and one line here.
 */
export const branchKinds: readonly BranchKind[] = [
  taxonomyKind,
  categoryKind,
  folderKind,
  itemKind,
  siteKind,
  sectionKind,
  pageKind,
]

const byKind: ReadonlyMap<EntityKind, BranchKind> = new Map(branchKinds.map((rules) => [rules.kind, rules]))

/** The rules of a kind. Errors: TypeError for a kind that packages cannot hold. */
export function branchRulesOf(kind: EntityKind): BranchKind {
  const rules = byKind.get(kind)
  if (!rules) throw new TypeError(`Packages cannot hold the kind ${kind}.`)
  return rules
}
