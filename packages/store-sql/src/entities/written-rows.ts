import { isHeadPublished, type EntityWrite } from '@quire/core/ports'
import { formatPerson, formatRoles } from './head-row.ts'
import { cutText, type LargeValue, largeValuesOf } from './large-values.ts'

/** The possible statuses of a head. */
export const statuses = ['archived', 'draft', 'published'] as const

type Status = (typeof statuses)[number]

/** The rows that represent an entity, by the columns' names in the code. */
export interface WrittenRows {
  readonly head: ReturnType<typeof headRow>
  readonly json: string
  readonly body: string
  readonly version: ReturnType<typeof versionRow>
  /** The large values of the body. */
  readonly values: readonly LargeValue[]
  readonly moment: ReturnType<typeof momentRow>
}

/** Computes the rows of an entity in its branch. */
export function rowsOf(entity: EntityWrite, branch: number): WrittenRows {
  const body = JSON.stringify(entity.body)
  const values = largeValuesOf(entity.body, body)
  const texts = {
    content: contentOf(body, values),
    roles: formatRoles(entity.roles),
    updatedPerson: formatPerson(entity.updatedBy),
  }
  return {
    head: headRow(entity, branch, texts),
    json: entity.json,
    body,
    values,
    version: versionRow(entity, branch, texts),
    moment: momentRow(entity, branch),
  }
}

interface Texts {
  readonly content: ReturnType<typeof contentOf>
  readonly roles: string
  readonly updatedPerson: string
}

function headRow(entity: EntityWrite, branch: number, { roles, updatedPerson }: Texts) {
  const { kind, id, type, name, slug, parentId, version, revision, base, publishedVersion } = entity
  const { deletedDate, createdDate, updatedDate, publishedDate, createdBy, updatedBy } = entity
  const what = {
    branch,
    kind,
    id,
    type,
    name,
    slug,
    parentId,
    version,
    revision,
    ...baseRow(base),
    publishedVersion,
    publications: entity.publications ? JSON.stringify(entity.publications) : null,
    inheritsPublished: Number(entity.inheritsPublished),
    roles,
  }
  const when = { deletedDate, createdDate, updatedDate, publishedDate }
  const principal = {
    createdBy: createdBy.userName,
    updatedBy: updatedBy.userName,
    createdPerson: formatPerson(createdBy),
    updatedPerson,
  }
  return { ...what, ...when, ...principal, ...stateOf(entity) }
}

function baseRow(base: EntityWrite['base']) {
  return {
    base: base?.version ?? null,
    basePublished: base?.publishedVersion ?? null,
    baseArchived: base && Number(base.archived),
    baseDeleted: base && Number(base.deleted),
  }
}

function stateOf(entity: EntityWrite) {
  return {
    status: statusOf(entity),
    published: Number(entity.publishedVersion !== null),
    archived: Number(entity.archived),
    limited: Number(entity.roles.read.length > 0),
  }
}

/**
 * The status for filters: archived; published when the head is the published version; else draft.
 */
function statusOf(entity: EntityWrite): Status {
  if (entity.archived) return 'archived'
  return isHeadPublished(entity) ? 'published' : 'draft'
}

function versionRow(entity: EntityWrite, branch: number, texts: Texts) {
  const { kind, id, version, type, name, slug, parentId, updatedDate } = entity
  const { roles, content } = texts
  const saved = {
    savedDate: updatedDate,
    savedPerson: texts.updatedPerson,
    blobs: blobsRow(entity.blobs),
    files: entity.fileBytes || null,
  }
  return { branch, kind, id, version, type, name, slug, parentId, roles, ...saved, ...content }
}

function contentOf(body: string, values: readonly LargeValue[]) {
  const { whole, parts } = cutText(body, values)
  return { body: whole, parts, bodyBytes: parts === null ? null : Buffer.byteLength(body) }
}

function blobsRow(blobs: EntityWrite['blobs'] = []): string | null {
  return blobs.length === 0 ? null : JSON.stringify(blobs.map((hash) => [hash]))
}

function momentRow(entity: EntityWrite, branch: number) {
  const { kind, id, version, publishedVersion, publishedDate, archived, deletedDate } = entity
  const from = entity.writtenDate ?? entity.updatedDate
  const flags = { archived: Number(archived), deleted: Number(deletedDate !== null) }
  return { branch, kind, id, from, version, publishedVersion, publishedDate, ...flags }
}
