import type {
  DeletedRef,
  Entity,
  EntityKind,
  EntityMoment,
  EntityReader,
  EntityRef,
  EntityVersion,
  IncomingEdge,
  Line,
} from '@quire/core/ports'
import { readFacets } from '../facets/read-facets.ts'
import { type LineNames, type Place, placeOf } from '../lines.ts'
import { findDocuments } from '../search/documents.ts'
import { listText } from '../list-text.ts'
import { wholeBound } from '../query/whole-bound.ts'
import { searchEntities } from '../search/search-entities.ts'
import type { Session } from '../session.ts'
import { readEdges } from './edges.ts'
import { decodePresented, type HeadRow, parseObject, parseRoles, type PresentedRow } from './head-row.ts'
import { listEntities } from './list-entities.ts'
import type { EdgeRow, EntityReads, MomentRow, VersionRow } from './read-statements.ts'

/** The reads of entities over one connection, as the session sees it. */
export function createEntityReader(reads: EntityReads, session: Session): EntityReader {
  const known = async (line: Line): Promise<LineNames> => {
    session.requireOpen()
    if (session.findLine) await findUnknown(session, line)
    return session.lines
  }
  const place = async (line: Line): Promise<Place> => placeOf(await known(line), line)
  const entity = (row: HeadRow | undefined) => (row ? reads.decoder.entity(session.lines, row) : null)
  return {
    get: async (line, kind, id) => entity(await findHead(reads, await place(line), { kind, id })),
    getMany: async (line, kind, ids) => {
      const rows = await findHeads(reads, await place(line), { kind, ids })
      return rows.map((row) => reads.decoder.entity(session.lines, row))
    },
    async getBySlug(line, kind, slug) {
      const row = await findBySlug(reads, await place(line), { kind, slug })
      return row ? decodePresented(row, session.lines) : null
    },
    list: async (line, query) => listEntities(reads, session, { place: await place(line), query }),
    search: async (line, query) => searchEntities(reads, session, { place: await place(line), query }),
    documents: async (line, kind, ids) => findDocuments(reads, await place(line), { kind, ids }),
    facets: async (line, query) => readFacets(reads, await place(line), query),
    edges: async (line, query) => readEdges(reads, await place(line), query),
    async ownHeads(line, { after, limit }) {
      const own = (await known(line)).numberOf(line)
      if (own === null) return []
      const { kind = '', id = '' } = after ?? {}
      const rows = await reads.owned.all({ line: own, kind, id, limit })
      return rows.map((row) => reads.decoder.own(session.lines, row))
    },
    async version(line, { kind, id }, version) {
      const holder = await holderOf(reads, await place(line), { kind, id })
      const row = holder === null ? undefined : await reads.version.get({ line: holder, kind, id, version })
      return row ? decodeVersion(reads, { kind, id }, row) : null
    },
    async versions(line, { kind, id }, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const holder = await holderOf(reads, await place(line), { kind, id })
      const at = { kind, id, before: wholeBound('lt', before), limit }
      const rows = holder === null ? [] : await reads.versions.all({ line: holder, ...at })
      return rows.map((row) => decodeVersion(reads, { kind, id }, row))
    },
    async moment(line, { kind, id }, time) {
      const holder = await holderOf(reads, await place(line), { kind, id })
      const row = holder === null ? undefined : await reads.moment.get({ line: holder, kind, id, time })
      return row ? decodeMoment(row) : null
    },
    async neededBlobs({ after = '', limit }) {
      session.requireOpen()
      const rows = await reads.neededBlobs.all({ after, limit })
      return rows.map(([hash]) => hash)
    },
    async deletedBefore({ before, after, limit }) {
      session.requireOpen()
      const from = after ? placeAfter(session, after) : { date: 0, line: 0, kind: '', id: '' }
      const rows = await reads.deletedBefore.all({ ...from, before, limit })
      return rows.map(([repositoryId, packageId, kind, id, deletedDate]) => ({
        repositoryId,
        packageId,
        kind,
        id,
        deletedDate: deletedDate ?? 0,
      }))
    },
    async incoming(line, target, limit) {
      const rows = await findIncoming(reads, await place(line), { target, limit })
      return rows.map((row) => decodeEdge(reads.decoder.entity(session.lines, row), target, row))
    },
  }
}

/** A line that is not known, or its main, may have been begun by another process a moment ago. */
async function findUnknown({ lines, findLine }: Session, line: Line): Promise<void> {
  const { repositoryId } = line
  const main = { repositoryId, packageId: null }
  const looked = line.packageId === null ? [main] : [line, main]
  for (const one of looked) if (lines.numberOf(one) === null) await findLine?.(one)
}

/** Where a walk over what was deleted goes on. */
function placeAfter({ lines }: Session, { deletedDate: date, kind, id, ...line }: DeletedRef) {
  return { date, line: lines.numberOf(line) ?? 0, kind, id }
}

async function findHead(
  reads: EntityReads,
  { own, main }: Place,
  { kind, id }: EntityRef,
): Promise<HeadRow | undefined> {
  const row = own === null ? undefined : await reads.byId.get({ line: own, kind, id })
  return row ?? (main === null ? undefined : reads.byId.get({ line: main, kind, id }))
}

async function findHeads(
  reads: EntityReads,
  { own, main }: Place,
  { kind, ids }: { kind: EntityKind; ids: readonly string[] },
): Promise<HeadRow[]> {
  const owned = own === null ? [] : await reads.byIds.all({ line: own, kind, ids: listText(ids) })
  const found = new Set(owned.map(([, , id]) => id))
  const rest = ids.filter((id) => !found.has(id))
  const others =
    main === null || rest.length === 0 ? [] : await reads.byIds.all({ line: main, kind, ids: listText(rest) })
  return [...owned, ...others]
}

async function findBySlug(
  reads: EntityReads,
  { own, main }: Place,
  { kind, slug }: { kind: EntityKind; slug: string },
): Promise<PresentedRow | undefined> {
  if (own === null) return main === null ? undefined : reads.bySlug.get({ line: main, kind, slug })
  const row = await reads.bySlug.get({ line: own, kind, slug })
  return row ?? (main === null ? undefined : reads.bySlugShown.get({ line: main, over: own, kind, slug }))
}

/** The line that holds the entity's head; null when neither does. History is read there without asking main whether it does. */
async function holderOf(
  reads: EntityReads,
  { own, main }: Place,
  { kind, id }: EntityRef,
): Promise<number | null> {
  const held = own === null ? undefined : await reads.holds.get({ line: own, kind, id })
  return held ? own : main
}

async function findIncoming(
  reads: EntityReads,
  { own, main }: Place,
  { target, limit }: { target: string; limit: number },
): Promise<EdgeRow[]> {
  if (own === null) return main === null ? [] : reads.incoming.all({ line: main, target, limit })
  const owned = await reads.incoming.all({ line: own, target, limit })
  const shown = main === null ? [] : await reads.incomingShown.all({ line: main, over: own, target, limit })
  return [...owned, ...shown].toSorted(bySource).slice(0, limit)
}

function bySource(a: EdgeRow, b: EdgeRow): number {
  if (a[2] !== b[2]) return a[2] < b[2] ? -1 : 1
  return a[24] < b[24] ? -1 : 1
}

function decodeEdge(source: Entity, targetId: string, row: EdgeRow): IncomingEdge {
  return { source, path: row[24], targetId, onDelete: row[25] }
}

function decodeVersion({ decoder }: EntityReads, { kind, id }: EntityRef, row: VersionRow): EntityVersion {
  const [version, type, name, slug, parentId, savedDate, savedPerson, roles, body] = row
  return {
    kind,
    id,
    version,
    type,
    name,
    slug,
    parentId,
    savedDate,
    savedBy: decoder.person(savedPerson),
    roles: parseRoles(roles),
    body: parseObject(body),
  }
}

function decodeMoment([
  from,
  version,
  publishedVersion,
  publishedDate,
  archived,
  deleted,
]: MomentRow): EntityMoment {
  return { from, version, publishedVersion, publishedDate, archived: archived === 1, deleted: deleted === 1 }
}
