import { CategoryContent, TaxonomyContent } from '@quire/contract'
import type { StructureKind } from '../structure/kind.ts'
import { branchKindOf } from '../structure/branch-kind.ts'

const keys = {
  read: 'taxonomies.read',
  create: 'taxonomies.create',
  update: 'taxonomies.update',
  delete: 'taxonomies.delete',
} as const

/** How taxonomies differ from the other kinds of structure. */
export const taxonomyRules: StructureKind<'taxonomy'> = {
  kind: 'taxonomy',
  prefix: 'TAXO',
  keys,
  events: {
    created: 'TAXONOMY_CREATED',
    updated: 'TAXONOMY_UPDATED',
    deleted: 'TAXONOMY_DELETED',
    restored: 'TAXONOMY_UNDELETED',
  },
  scope: 'repository',
  parent: null,
  owner: null,
  references: [],
  nullable: [],
  namedBy: 'name',
  isVisibleOnItems: true,
}

/** How categories differ from the other kinds of structure. */
export const categoryRules: StructureKind<'category'> = {
  kind: 'category',
  prefix: 'CATG',
  keys,
  events: {
    created: 'CATEGORY_CREATED',
    updated: 'CATEGORY_UPDATED',
    deleted: 'CATEGORY_DELETED',
    restored: 'CATEGORY_UNDELETED',
  },
  scope: 'repository',
  parent: { kind: 'category', member: 'parentId' },
  owner: { kind: 'taxonomy', member: 'taxonomyId' },
  references: [],
  nullable: [],
  namedBy: 'name',
  isVisibleOnItems: true,
}

/** How packages handle taxonomies. */
export const taxonomyKind = branchKindOf(taxonomyRules, TaxonomyContent)

/** How packages handle categories. */
export const categoryKind = branchKindOf(categoryRules, CategoryContent)
