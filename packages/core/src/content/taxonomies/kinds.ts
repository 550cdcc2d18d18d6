import { CategoryContent, TaxonomyContent } from '@quire/contract'
import type { StructureKind } from '../structure/kind.ts'
import { branchKindOf } from '../structure/branch-kind.ts'

const keys = {
  read: 'taxonomies.read',
  create: 'taxonomies.create',
  update: 'taxonomies.update',
  delete: 'taxonomies.delete',
} as const

/** Taxonomies. */
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
  above: null,
  owner: null,
  references: [],
  nullable: [],
  calledBy: 'name',
  isVisibleOnItems: true,
}

/** The categories of taxonomies. */
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
  above: { kind: 'category', member: 'parentId' },
  owner: { kind: 'taxonomy', member: 'taxonomyId' },
  references: [],
  nullable: [],
  calledBy: 'name',
  isVisibleOnItems: true,
}

/** Taxonomies in packages. */
export const taxonomyKind = branchKindOf(taxonomyRules, TaxonomyContent)

/** Categories in packages. */
export const categoryKind = branchKindOf(categoryRules, CategoryContent)
