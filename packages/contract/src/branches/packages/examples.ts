import { exampleItem } from '../../content/items/examples.ts'
import { examplePage, exampleSite } from '../../delivery/sites/examples.ts'
import type { PackageComment } from './comment-shapes.ts'
import type { ChangedEntity, MergeConflict, MergeReport, Package, PackageChange } from './shapes.ts'

const editor = exampleItem.createdByUser

/** An open package, as the examples of the reference show it. */
export const examplePackage: Package = {
  id: 'PACK_01JB2QAZ3C5E7G9J1K3M5N7P9R',
  repositoryId: exampleItem.repositoryId,
  name: 'spring-issue',
  description: 'The spring issue',
  state: 'open',
  revertOf: null,
  createdDate: 1_790_000_800_000,
  createdByUser: editor,
  updatedDate: 1_790_000_800_000,
  updatedByUser: editor,
  mergedDate: null,
  mergedByUser: null,
  review: null,
  agent: null,
}

/** The path of the example package. */
export const examplePackagePath = { repo: 'magazine', packageName: examplePackage.name }

const entity: ChangedEntity = {
  kind: 'item',
  id: exampleItem.id,
  name: exampleItem.name,
  type: exampleItem.type,
  slug: exampleItem.slug,
}

/** A change of the example package. */
export const exampleChange: PackageChange = {
  entity,
  kind: 'update',
  version: 1,
  baseVersion: 2,
  mainVersion: 3,
  mainMoved: true,
  updatedDate: 1_790_000_900_000,
  updatedByUser: editor,
}

/** A conflict: a member that both sides changed. */
export const exampleConflict: MergeConflict = {
  entity,
  path: 'fields.readingMinutes',
  kind: 'changed',
  base: 5,
  ours: 7,
  theirs: 6,
}

/** A comment on a member of an item. */
export const exampleComment: PackageComment = {
  id: 'CMNT_01JB2QB1D3F5H7K9M1P3R5T7V9',
  repositoryId: examplePackage.repositoryId,
  packageName: examplePackage.name,
  body: 'Seven minutes? It is longer than the last one, which was six.',
  entity,
  path: 'fields.readingMinutes',
  parentId: null,
  decision: null,
  state: 'open',
  createdDate: 1_790_000_950_000,
  createdByUser: editor,
  updatedDate: 1_790_000_950_000,
  resolvedDate: null,
  resolvedByUser: null,
}

const planId = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'

/** The report of merging the example package. */
export const exampleReport: MergeReport = {
  planId,
  package: {
    ...examplePackage,
    state: 'merged',
    mergedDate: 1_790_001_000_000,
    mergedByUser: editor,
  },
  changes: [{ entity, kind: 'update', version: 4, published: false }],
  pages: [{ siteId: exampleSite.id, pageId: examplePage.id, path: examplePage.slug }],
}
