import type { Base, Entity, EntityRoles, JsonObject, OwnHead, StoredJson, UserRef } from '@quire/core/ports'
import type { Tables } from '../dialect.ts'
import type { SqlValue } from '../driver.ts'
import type { BranchNames } from '../branches.ts'
import type { RowOf } from '../row-of.ts'

/** The columns that a read of a head's own row selects. */
export function ownColumns({ heads }: Tables) {
  return [
    heads.branch,
    heads.kind,
    heads.id,
    heads.type,
    heads.name,
    heads.slug,
    heads.parentId,
    heads.version,
    heads.revision,
    heads.base,
    heads.basePublished,
    heads.baseArchived,
    heads.baseDeleted,
    heads.publishedVersion,
    heads.inheritsPublished,
    heads.archived,
    heads.deletedDate,
    heads.createdDate,
    heads.updatedDate,
    heads.publishedDate,
    heads.createdPerson,
    heads.updatedPerson,
    heads.roles,
    heads.publications,
  ] as const
}

/** The columns that a read of a whole head selects, in the order of `HeadRow`. */
export function headColumns(tables: Tables) {
  return [...ownColumns(tables), tables.bodies.body, tables.headJson.json] as const
}

export type OwnRow = RowOf<ReturnType<typeof ownColumns>>

export type HeadRow = RowOf<ReturnType<typeof headColumns>>

/**
 * The columns that lists and reads by slug select, in the order of `JsonRow`: a third of a whole
 * head's columns, and half of its bytes.
 */
export function jsonColumns({ heads, headJson }: Tables) {
  return [
    heads.branch,
    heads.kind,
    heads.id,
    heads.type,
    heads.name,
    heads.version,
    heads.revision,
    heads.deletedDate,
    heads.roles,
    headJson.json,
    heads.head,
    heads.slug,
  ] as const
}

export type JsonRow = RowOf<ReturnType<typeof jsonColumns>>

/** The JSON that the row is answered with. */
export function jsonOf(row: readonly [...JsonRow, ...unknown[]]): string {
  return row[9]
}

/** The number of the head that the row is about. */
export function headOf(row: readonly [...JsonRow, ...unknown[]]): number {
  return row[10]
}

/** The number of columns of a `JsonRow`. In longer rows, the rest are sort keys. */
export const JSON_WIDTH = 12

/** The sort keys that follow a head's own columns. */
export function keysOf(row: readonly [...JsonRow, ...SqlValue[]]): readonly SqlValue[] {
  return row.slice(JSON_WIDTH)
}

/** Decodes a head for lists and reads by slug. Ignores columns after the head's own. */
export function decodeJsonRow(row: readonly [...JsonRow, ...unknown[]], branches: BranchNames): StoredJson {
  const { repositoryId, packageId } = branches.nameOf(row[0])
  return {
    repositoryId,
    packageId,
    kind: row[1],
    id: row[2],
    type: row[3],
    name: row[4],
    version: row[5],
    revision: row[6],
    deletedDate: row[7],
    roles: parseRoles(row[8]),
    json: row[9],
  }
}

/** Decodes rows into entities. */
export interface HeadDecoder {
  /** Ignores columns after the head's own. */
  readonly entity: (branches: BranchNames, row: readonly [...HeadRow, ...unknown[]]) => Entity
  /** The head without its content. */
  readonly own: (branches: BranchNames, row: readonly [...OwnRow, ...unknown[]]) => OwnHead
  readonly person: (text: string) => UserRef
}

/**
 * Few people write much, so their references are parsed once and cached. At twice, only memory is
 * lost; at half, a reference is parsed again now and then.
 */
const MOST_PEOPLE = 1_000

/** Opens a decoder with its own cache of people. */
export function createHeadDecoder(): HeadDecoder {
  const people = new Map<string, UserRef>()
  const person = (text: string) => {
    const known = people.get(text)
    if (known) return known
    if (people.size >= MOST_PEOPLE) people.clear()
    const parsed = parsePerson(text)
    people.set(text, parsed)
    return parsed
  }
  const own = (branches: BranchNames, row: readonly [...OwnRow, ...unknown[]]) =>
    decodeOwn(row, branches, person)
  return { person, own, entity: (branches, row) => withBody(own(branches, row), row) }
}

/** Parses the body on first access: most reads send `json` and never look at it. */
function withBody(own: OwnHead, row: readonly [...HeadRow, ...unknown[]]): Entity {
  let body: JsonObject | undefined
  return {
    ...own,
    get body() {
      body ??= parseObject(row[24])
      return body
    },
    json: row[25],
  }
}

function decodeOwn(
  row: readonly [...OwnRow, ...unknown[]],
  branches: BranchNames,
  person: (text: string) => UserRef,
): OwnHead {
  const { repositoryId, packageId } = branches.nameOf(row[0])
  return {
    repositoryId,
    packageId,
    kind: row[1],
    id: row[2],
    type: row[3],
    name: row[4],
    slug: row[5],
    parentId: row[6],
    version: row[7],
    revision: row[8],
    base: baseOf(row),
    publishedVersion: row[13],
    inheritsPublished: row[14] === 1,
    archived: row[15] === 1,
    deletedDate: row[16],
    createdDate: row[17],
    updatedDate: row[18],
    publishedDate: row[19],
    createdBy: person(row[20]),
    updatedBy: person(row[21]),
    roles: parseRoles(row[22]),
    ...(row[23] !== null && { publications: parsePublications(row[23]) }),
  }
}

function parsePublications(text: string): NonNullable<Entity['publications']> {
  const publications: NonNullable<Entity['publications']> = JSON.parse(text)
  return publications
}

function baseOf(row: readonly [...OwnRow, ...unknown[]]): Base | null {
  const version = row[9]
  if (version === null) return null
  return { version, publishedVersion: row[10], archived: row[11] === 1, deleted: row[12] === 1 }
}

const noRoles: EntityRoles = Object.freeze({ read: [], write: [], delete: [] })

/** Formats roles for storage: empty in the usual case without limits. */
export function formatRoles(roles: EntityRoles): string {
  const { read, write, delete: remove } = roles
  return read.length + write.length + remove.length === 0
    ? ''
    : JSON.stringify({ read, write, delete: remove })
}

/** The inverse of formatRoles. */
export function parseRoles(text: string): EntityRoles {
  if (text === '') return noRoles
  const roles: EntityRoles = JSON.parse(text)
  return roles
}

/** Formats a person for storage. */
export function formatPerson({ userName, displayName, email }: UserRef): string {
  return JSON.stringify({ userName, displayName, email })
}

/** The prefix of the stored text of a person with this name, and of no other. */
export function personPrefix(userName: string): string {
  return `{"userName":${JSON.stringify(userName)},`
}

/** Parses a JSON object that this store wrote. */
export function parseObject(text: string): JsonObject {
  const parsed: JsonObject = JSON.parse(text)
  return parsed
}

/** The inverse of formatPerson. */
export function parsePerson(text: string): UserRef {
  const person: UserRef = JSON.parse(text)
  return Object.freeze(person)
}
