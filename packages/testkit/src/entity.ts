import type {
  Entity,
  EntityWrite,
  OwnHead,
  StoredJson,
  IndexedValue,
  QueryValue,
  SearchDocument,
} from '@quire/core/ports'
import { testStart } from '@quire/core/memory'
import { ada } from './people.ts'

/** The default repository of `anEntity`. */
export const testRepository = 'REPO_01JXSC6G00000000000000TEST'

/**
 * Builds the first version of an entity on main, to put with `expectedRevision` 0. Every member can
 * be overridden.
 */
export function anEntity(overrides: Partial<EntityWrite> = {}): EntityWrite {
  const entity = { ...defaults, ...overrides }
  const { id, name, version } = entity
  return { json: JSON.stringify({ id, name, currentVersion: version }), ...entity }
}

/** Builds the version after `entity`, saved one second later, to put with `entity.revision`. */
export function nextVersion(entity: EntityWrite, overrides: Partial<EntityWrite> = {}): EntityWrite {
  return sameVersion(entity, { version: entity.version + 1, ...overrides })
}

/**
 * Builds the next write of `entity`, one second later, that makes no new version, like publishing.
 */
export function sameVersion(entity: EntityWrite, overrides: Partial<EntityWrite> = {}): EntityWrite {
  return { ...entity, revision: entity.revision + 1, updatedDate: entity.updatedDate + 1000, ...overrides }
}

/** Builds a package's first head of an entity from main. */
export function inPackageOf(
  packageId: string,
  entity: EntityWrite,
  overrides: Partial<EntityWrite> = {},
): EntityWrite {
  const { version, publishedVersion, archived, deletedDate } = entity
  const base = { version, publishedVersion, archived, deleted: deletedDate !== null }
  return nextVersion(entity, { packageId, version: 1, revision: 1, base, ...overrides })
}

/** The head as reads return it: the write without the data for derived rows. */
export function entityOf(write: EntityWrite): Entity {
  const { values: _values, edges: _edges, search: _search, writtenDate: _date, ...entity } = write
  return entity
}

/** The head without its content, as `ownHeads` returns it. */
export function ownHeadOf(write: EntityWrite): OwnHead {
  const { body: _body, json: _json, ...head } = entityOf(write)
  return head
}

/** The part of the head that lists and reads by slug return at least. */
export function jsonRowOf(write: EntityWrite): StoredJson {
  const { repositoryId, packageId, kind, id, type, name, version, revision, roles, deletedDate, json } = write
  return {
    repositoryId,
    packageId,
    kind,
    id,
    type,
    name,
    version,
    revision,
    roles,
    deletedDate,
    json,
  }
}

/** A document with one text and no name. */
export function textOf(text: string): SearchDocument {
  return aDocument({ passages: [{ path: 'text', text }] })
}

/** A document that is empty except for the overrides. */
export function aDocument(overrides: Partial<SearchDocument> = {}): SearchDocument {
  return { name: '', passages: [], categories: [], file: null, ...overrides }
}

/** Indexed values from an object. A list becomes one row per value. */
export function indexed(
  values: Readonly<Record<string, QueryValue | null | readonly QueryValue[]>>,
): readonly IndexedValue[] {
  return Object.entries(values).flatMap(([path, value]) =>
    (isList(value) ? value : [value]).map((single) => ({ path, value: single })),
  )
}

function isList(value: QueryValue | null | readonly QueryValue[]): value is readonly QueryValue[] {
  return Array.isArray(value)
}

const defaults: Omit<EntityWrite, 'json'> = {
  repositoryId: testRepository,
  packageId: null,
  kind: 'item',
  id: 'CONT_01JXSC6G000000000000000001',
  type: 'article',
  name: 'An article',
  slug: null,
  parentId: null,
  roles: { read: [], write: [], delete: [] },
  body: {},
  version: 1,
  revision: 1,
  base: null,
  publishedVersion: null,
  inheritsPublished: false,
  archived: false,
  deletedDate: null,
  createdDate: testStart,
  createdBy: ada,
  updatedDate: testStart,
  updatedBy: ada,
  publishedDate: null,
  values: [],
  edges: [],
  search: null,
}
