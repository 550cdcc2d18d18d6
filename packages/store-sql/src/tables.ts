import type { Edge, EntityKind, JobState } from '@quire/core/ports'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Every branch, as (repository, package), mapped to a small number that all other tables use. */
export const branches = sqliteTable('branches', {
  id: integer().primaryKey(),
  repositoryId: text('repository_id').notNull(),
  /** Null for the main branch. */
  packageId: text('package_id'),
})

/**
 * The heads of all entities, on every branch that wrote them. Rows are narrow, so that reading many
 * is cheap.
 */
export const heads = sqliteTable('heads', {
  head: integer().primaryKey(),
  branch: integer().notNull(),
  kind: text().$type<EntityKind>().notNull(),
  id: text().notNull(),
  type: text().notNull(),
  name: text().notNull(),
  slug: text(),
  parentId: text('parent_id'),
  version: integer().notNull(),
  revision: integer().notNull(),
  /** In a package: the version of main's head that it was based on, and that head's state. */
  base: integer(),
  basePublished: integer('base_published'),
  baseArchived: integer('base_archived'),
  baseDeleted: integer('base_deleted'),
  publishedVersion: integer('published_version'),
  /** JSON of `Entity.publications`; null if there is none. */
  publications: text(),
  inheritsPublished: integer('inherits_published').notNull(),
  /** Derived: archived, published or draft. */
  status: text().notNull(),
  /** Derived: whether a version is published. */
  published: integer().notNull(),
  archived: integer().notNull(),
  /** Derived: whether read roles limit who sees it. */
  limited: integer().notNull(),
  deletedDate: integer('deleted_date'),
  createdDate: integer('created_date').notNull(),
  updatedDate: integer('updated_date').notNull(),
  publishedDate: integer('published_date'),
  /** User names, for filters; the whole references are in `created_person` and `updated_person`. */
  createdBy: text('created_by').notNull(),
  updatedBy: text('updated_by').notNull(),
  createdPerson: text('created_person').notNull(),
  updatedPerson: text('updated_person').notNull(),
  /** JSON; empty when there are no limits. */
  roles: text().notNull(),
})

/**
 * The JSON that a head is answered with. Most reads need no other large column. A view: the rows of
 * `headJsonRows` with their large values.
 */
export const headJson = sqliteTable('whole_json', {
  head: integer().primaryKey(),
  json: text().notNull(),
})

/** A view: the rows of `bodyRows` with their large values. */
export const bodies = sqliteTable('whole_bodies', {
  head: integer().primaryKey(),
  body: text().notNull(),
})

export const headJsonRows = sqliteTable('head_json', {
  head: integer().primaryKey(),
  json: text().notNull(),
  /** If large values were cut out of the text, what is left of it (see `cutText`); else null. */
  parts: text(),
})

export const bodyRows = sqliteTable('bodies', {
  head: integer().primaryKey(),
  body: text().notNull(),
  parts: text(),
})

/** Large values, as JSON, once for all versions that have them. */
export const largeValues = sqliteTable('large_values', {
  hash: text().primaryKey(),
  value: text().notNull(),
})

/** The large values that versions have; triggers on `versions` maintain it. */
export const versionValues = sqliteTable(
  'version_values',
  { hash: text().notNull(), version: integer().notNull() },
  (t) => [primaryKey({ columns: [t.hash, t.version] })],
)

/** The read roles of limited heads. */
export const headRoles = sqliteTable(
  'head_roles',
  { head: integer().notNull(), role: text().notNull() },
  (t) => [primaryKey({ columns: [t.head, t.role] })],
)

/** Custom values of live heads, encoded so that bytes compare as values do (see `encodeValue`). */
export const fieldValues = sqliteTable('field_values', {
  branch: integer().notNull(),
  kind: text().$type<EntityKind>().notNull(),
  path: text().notNull(),
  value: text().notNull(),
  updatedDate: integer('updated_date').notNull(),
  id: text().notNull(),
  createdDate: integer('created_date').notNull(),
  head: integer().notNull(),
  type: text().notNull(),
  archived: integer().notNull(),
  limited: integer().notNull(),
})

const versionColumns = {
  row: integer().primaryKey(),
  branch: integer().notNull(),
  kind: text().$type<EntityKind>().notNull(),
  id: text().notNull(),
  version: integer().notNull(),
  type: text().notNull(),
  name: text().notNull(),
  slug: text(),
  parentId: text('parent_id'),
  savedDate: integer('saved_date').notNull(),
  savedPerson: text('saved_person').notNull(),
  roles: text().notNull(),
  body: text().notNull(),
}

/** All saved versions, with their large values. A view of `versions`. */
export const wholeVersions = sqliteTable('whole_versions', versionColumns)

/** All saved versions. */
export const versions = sqliteTable('versions', {
  ...versionColumns,
  /** The blobs that it needs: a JSON array of arrays of one hash; null for none. */
  blobs: text(),
  /** Bytes of the files that it adds; null for none. */
  files: integer(),
  parts: text(),
  /** If large values were cut out of the body, the bytes of the whole body; else null. */
  bodyBytes: integer('body_bytes'),
})

/** The blobs that versions need, once per version; triggers on `versions` maintain it. */
export const versionBlobs = sqliteTable(
  'version_blobs',
  { hash: text().notNull(), version: integer().notNull() },
  (t) => [primaryKey({ columns: [t.hash, t.version] })],
)

/** The states of an entity, each from the time when it changed. */
export const moments = sqliteTable('moments', {
  branch: integer().notNull(),
  kind: text().$type<EntityKind>().notNull(),
  id: text().notNull(),
  from: integer('from_date').notNull(),
  version: integer().notNull(),
  publishedVersion: integer('published_version'),
  publishedDate: integer('published_date'),
  archived: integer().notNull(),
  deleted: integer().notNull(),
})

/** Edges of live heads, ordered by target. */
export const edges = sqliteTable('edges', {
  branch: integer().notNull(),
  targetId: text('target_id').notNull(),
  id: text().notNull(),
  path: text().notNull(),
  head: integer().notNull(),
  onDelete: text('on_delete').$type<Edge['onDelete']>().notNull(),
})

/** Extracted texts of files, by the hash of the file. */
export const texts = sqliteTable('texts', {
  hash: text().primaryKey(),
  text: text().notNull(),
})

/** The rows of the search index; a higher row was indexed later. */
export const searchRows = sqliteTable('search_rows', {
  row: integer().primaryKey(),
  head: integer().notNull(),
  branch: integer().notNull(),
})

/** The documents that full-text search finds live heads by. */
export const searchDocuments = sqliteTable('search_documents', {
  head: integer().primaryKey(),
  row: integer().notNull(),
  branch: integer().notNull(),
  kind: text().$type<EntityKind>().notNull(),
  name: text().notNull(),
  /** JSON: passages, and ids of categories. */
  passages: text().notNull(),
  categories: text().notNull(),
  file: text(),
  /** Whether the text of the file was available for indexing. */
  withText: integer('with_text').notNull(),
})

/**
 * The words of documents (see `search/tokens.ts`): a contentless FTS5 table, with the rows of
 * `search_rows`.
 */
export const search = sqliteTable('search', {
  rowid: integer().primaryKey(),
  words: text().notNull(),
})

/** Records, which have no versions. */
export const records = sqliteTable('records', {
  kind: text().notNull(),
  id: text().notNull(),
  revision: integer().notNull(),
  data: text().notNull(),
})

/** The unique keys of records. */
export const recordKeys = sqliteTable('record_keys', {
  kind: text().notNull(),
  key: text().notNull(),
  id: text().notNull(),
})

/** All changes, in the order of commits. */
export const journal = sqliteTable('journal', {
  sequence: integer().primaryKey({ autoIncrement: true }),
  repositoryId: text('repository_id').notNull(),
  packageId: text('package_id'),
  entityId: text('entity_id').notNull(),
  entityType: text('entity_type').notNull(),
  event: text().notNull(),
  version: integer(),
  status: text(),
  date: integer().notNull(),
  person: text().notNull(),
  requestId: text('request_id').notNull(),
  details: text().notNull(),
})

/** Background jobs and their outcomes. The schema has defaults for what a new job does not set. */
export const jobs = sqliteTable('jobs', {
  id: text().primaryKey(),
  kind: text().notNull(),
  state: text().$type<JobState>().notNull(),
  repositoryId: text('repository_id').notNull(),
  subject: text().notNull(),
  key: text(),
  /** JSON, like `progress` and `result`. */
  payload: text().notNull(),
  body: text(),
  progress: text().notNull(),
  attempts: integer().notNull(),
  maxAttempts: integer('max_attempts').notNull(),
  runAt: integer('run_at').notNull(),
  createdAt: integer('created_at').notNull(),
  startedAt: integer('started_at'),
  finishedAt: integer('finished_at'),
  person: text().notNull(),
  error: text(),
  result: text(),
  cancelling: integer().notNull(),
  lease: integer().notNull(),
  beat: integer().notNull(),
})

/** Usage by scope, without the changes in `usage_deltas`. */
export const usage = sqliteTable('usage', {
  scope: text().primaryKey(),
  bytes: integer().notNull(),
  items: integer().notNull(),
  versions: integer().notNull(),
})

/** Changes to usage that are not yet added up. */
export const usageDeltas = sqliteTable('usage_deltas', {
  row: integer().primaryKey(),
  scope: text().notNull(),
  bytes: integer().notNull(),
  items: integer().notNull(),
  versions: integer().notNull(),
})

export const ephemera = sqliteTable('ephemera', {
  key: text().primaryKey(),
  value: text().notNull(),
  expires: integer().notNull(),
})
