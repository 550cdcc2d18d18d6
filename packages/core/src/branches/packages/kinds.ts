import { folderKind } from '../../content/folders/kind.ts'
import { itemKind } from '../../content/items/branch-kind.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import type { EntityKind } from '../../ports/index.ts'
import { pageKind, sectionKind, siteKind } from '../../delivery/sites/branch-kinds.ts'
import { categoryKind, taxonomyKind } from '../../content/taxonomies/kinds.ts'

/**
 * The kinds that packages can hold, in the order in which a merge writes them: what others refer to comes first. A kind that comes
 * to be costs its declaration and one line here.
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

/** The rules of a kind. Nothing of a kind without rules is ever written into a package. */
export function rulesOf(kind: EntityKind): BranchKind {
  const rules = byKind.get(kind)
  if (!rules) throw new TypeError(`There are no rules for ${kind} in packages.`)
  return rules
}
