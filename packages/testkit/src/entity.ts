import type {
  Entity,
  EntityWrite,
  OwnHead,
  StoredJson,
  IndexedValue,
  QueryValue,
  SearchDocument,
} from '@quire/core/ports'
import { testStart } from './clock.ts'
import { ada } from './people.ts'

/** The repository of `anEntity` unless told. */
export const testRepository = 'REPO_01JXSC6G00000000000000TEST'

/** Builds the first version of an entity on main, ready to put with `expectedRevision` 0; every member can be overridden. */
export function anEntity(overrides: Partial<EntityWrite> = {}): EntityWrite {
  const entity = { ...defaults, ...overrides }
  const { id, name, version } = entity
  return { json: JSON.stringify({ id, name, currentVersion: version }), ...entity }
}

/** Builds the version after `entity`, saved one second later, to be put with `entity.revision`. */
export function nextVersion(entity: EntityWrite, overrides: Partial<EntityWrite> = {}): EntityWrite {
  return sameVersion(entity, { version: entity.version + 1, ...overrides })
}

/** Builds the next write of `entity` that makes no version (as publishing does), one second later. */
export function sameVersion(entity: EntityWrite, overrides: Partial<EntityWrite> = {}): EntityWrite {
  return { ...entity, revision: entity.revision + 1, updatedDate: entity.updatedDate + 1000, ...overrides }
}

/** Builds the first head that a package holds of an entity of main. */
export function inPackageOf(
  packageId: string,
  entity: EntityWrite,
  overrides: Partial<EntityWrite> = {},
): EntityWrite {
  const { version, publishedVersion, archived, deletedDate } = entity
  const base = { version, publishedVersion, archived, deleted: deletedDate !== null }
  return nextVersion(entity, { packageId, version: 1, revision: 1, base, ...overrides })
}

/** The head as it reads: what was put without the rows derived from it. */
export function entityOf(write: EntityWrite): Entity {
  const { values: _values, edges: _edges, search: _search, writtenDate: _date, ...entity } = write
  return entity
}

/** The head without what it says, as `ownHeads` gives it. */
export function ownHeadOf(write: EntityWrite): OwnHead {
  const { body: _body, json: _json, ...head } = entityOf(write)
  return head
}

/** The head as lists and reads by slug give it, at least. */
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

/** A document without a name, of one text. */
export function textOf(text: string): SearchDocument {
  return aDocument({ passages: [{ path: 'text', text }] })
}

/** A document that holds nothing but what is named. */
export function aDocument(overrides: Partial<SearchDocument> = {}): SearchDocument {
  return { name: '', passages: [], categories: [], file: null, ...overrides }
}

/** Indexed values from an object: a list gives one row a value. */
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
