import type {
  DeletedRef,
  Entity,
  EntityKind,
  EntityMoment,
  EntityReader,
  EntityRef,
  EntityVersion,
  IncomingEdge,
  Branch,
  SoughtSlug,
  StoredJson,
} from '@quire/core/ports'
import { readFacets } from '../facets/read-facets.ts'
import { type BranchNames, type Scope, scopeOf } from '../branches.ts'
import { findDocuments } from '../search/documents.ts'
import { listText } from '../list-text.ts'
import { wholeBound } from '../query/whole-bound.ts'
import { searchEntities } from '../search/search-entities.ts'
import type { Session } from '../session.ts'
import { readEdges } from './edges.ts'
import type { SlugRef } from './head-cache.ts'
import { decodeJsonRow, type HeadRow, parseObject, parseRoles } from './head-row.ts'
import { listEntities } from './list-entities.ts'
import type { EdgeRow, EntityReads, MomentRow, VersionRow } from './read-statements.ts'

/** Reads entities over one connection, in the scope of the session. */
export function createEntityReader(reads: EntityReads, session: Session): EntityReader {
  const known = async (branch: Branch): Promise<BranchNames> => {
    session.requireOpen()
    if (session.findBranch) await findUnknown(session, branch)
    return session.branches
  }
  const scope = async (branch: Branch): Promise<Scope> => scopeOf(await known(branch), branch)
  const entity = (row: readonly [...HeadRow, ...unknown[]]) => reads.decoder.entity(session.branches, row)
  return {
    async get(branch, kind, id) {
      const at = await scope(branch)
      const row = await findHead(reads, at, { kind, id })
      return firstOf(await withMainReaders(reads, at, row ? [entity(row)] : []))
    },
    async getMany(branch, kind, ids) {
      const at = await scope(branch)
      const rows = await findHeads(reads, at, { kind, ids })
      return withMainReaders(
        reads,
        at,
        rows.map((row) => entity(row)),
      )
    },
    async getBySlug(branch, sought) {
      const at = await scope(branch)
      const head = await findBySlug({ reads, session }, at, sought)
      return firstOf(await withMainReaders(reads, at, head ? [head] : []))
    },
    list: async (branch, query) => listEntities(reads, session, { scope: await scope(branch), query }),
    search: async (branch, query) => searchEntities(reads, session, { scope: await scope(branch), query }),
    documents: async (branch, kind, ids) => findDocuments(reads, await scope(branch), { kind, ids }),
    facets: async (branch, query) => readFacets(reads, await scope(branch), query),
    edges: async (branch, query) => readEdges(reads, await scope(branch), query),
    async ownHeads(branch, { after, limit }) {
      const own = (await known(branch)).numberOf(branch)
      if (own === null) return []
      const { kind = '', id = '' } = after ?? {}
      const rows = await reads.owned.all({ branch: own, kind, id, limit })
      const heads = rows.map((row) => reads.decoder.own(session.branches, row))
      return withMainReaders(reads, await scope(branch), heads)
    },
    async version(branch, { kind, id }, version) {
      const holder = await holderOf(reads, await scope(branch), { kind, id })
      const row = holder === null ? undefined : await reads.version.get({ branch: holder, kind, id, version })
      return row ? decodeVersion(reads, { kind, id }, row) : null
    },
    async versions(branch, { kind, id }, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const holder = await holderOf(reads, await scope(branch), { kind, id })
      const at = { kind, id, before: wholeBound('lt', before), limit }
      const rows = holder === null ? [] : await reads.versions.all({ branch: holder, ...at })
      return rows.map((row) => decodeVersion(reads, { kind, id }, row))
    },
    async versionTotals(branch, { kind, id }) {
      const holder = await holderOf(reads, await scope(branch), { kind, id })
      const row = holder === null ? undefined : await reads.versionTotals.get({ branch: holder, kind, id })
      return { count: row?.[0] ?? 0, bytes: row?.[1] ?? 0 }
    },
    async moment(branch, { kind, id }, time) {
      const holder = await holderOf(reads, await scope(branch), { kind, id })
      const row = holder === null ? undefined : await reads.moment.get({ branch: holder, kind, id, time })
      return row ? decodeMoment(row) : null
    },
    async neededBlobs({ after = '', limit }) {
      session.requireOpen()
      const rows = await reads.neededBlobs.all({ after, limit })
      return rows.map(([hash]) => hash)
    },
    async deletedBefore({ before, after, limit }) {
      session.requireOpen()
      const from = after ? scopeAfter(session, after) : { date: 0, branch: 0, kind: '', id: '' }
      const rows = await reads.deletedBefore.all({ ...from, before, limit })
      return rows.map(([repositoryId, packageId, kind, id, deletedDate]) => ({
        repositoryId,
        packageId,
        kind,
        id,
        deletedDate: deletedDate ?? 0,
      }))
    },
    async namesRole(role) {
      session.requireOpen()
      return (await reads.namesRole.all({ role: `%"${role}"%` })).length > 0
    },
    async incoming(branch, target, limit) {
      const at = await scope(branch)
      const rows = await findIncoming(reads, at, { target, limit })
      const sources = await withMainReaders(
        reads,
        at,
        rows.map((row) => entity(row)),
      )
      return rows.map((row, index) => decodeEdge(sources[index] ?? entity(row), target, row))
    },
  }
}

/** An unknown branch, or its main, may have just been created by another process. */
async function findUnknown({ branches, findBranch }: Session, branch: Branch): Promise<void> {
  const { repositoryId } = branch
  const main = { repositoryId, packageId: null }
  const looked = branch.packageId === null ? [main] : [branch, main]
  for (const one of looked) if (branches.numberOf(one) === null) await findBranch?.(one)
}

/** The position after which a walk over deleted heads continues. */
function scopeAfter({ branches }: Session, { deletedDate: date, kind, id, ...branch }: DeletedRef) {
  return { date, branch: branches.numberOf(branch) ?? 0, kind, id }
}

/** Adds to a package's heads of items who may read main's. Only items have roles. */
async function withMainReaders<H extends LimitedHead>(
  reads: EntityReads,
  { main, isPackage }: Scope,
  heads: readonly H[],
): Promise<readonly H[]> {
  const own = isPackage ? heads.filter(({ kind, packageId }) => kind === 'item' && packageId !== null) : []
  if (main === null || own.length === 0) return heads
  const ids = listText([...new Set(own.map(({ id }) => id))])
  const limited = new Map(await reads.mainReaders.all({ branch: main, kind: 'item', ids }))
  if (limited.size === 0) return heads
  return heads.map((head) => {
    const roles = head.packageId === null ? undefined : limited.get(head.id)
    return roles === undefined ? head : { ...head, mainReaders: parseRoles(roles).read }
  })
}

type LimitedHead = Pick<StoredJson, 'kind' | 'id' | 'packageId' | 'mainReaders'>

function firstOf<H>([first]: readonly H[]): H | null {
  return first ?? null
}

async function findHead(
  reads: EntityReads,
  { own, main }: Scope,
  { kind, id }: EntityRef,
): Promise<HeadRow | undefined> {
  const row = own === null ? undefined : await reads.byId.get({ branch: own, kind, id })
  return row ?? (main === null ? undefined : reads.byId.get({ branch: main, kind, id }))
}

async function findHeads(
  reads: EntityReads,
  { own, main }: Scope,
  { kind, ids }: { kind: EntityKind; ids: readonly string[] },
): Promise<HeadRow[]> {
  const owned = own === null ? [] : await reads.byIds.all({ branch: own, kind, ids: listText(ids) })
  const found = new Set(owned.map(([, , id]) => id))
  const rest = ids.filter((id) => !found.has(id))
  const others =
    main === null || rest.length === 0
      ? []
      : await reads.byIds.all({ branch: main, kind, ids: listText(rest) })
  return [...owned, ...others]
}

interface ReadSession {
  readonly reads: EntityReads
  readonly session: Session
}

async function findBySlug(
  reading: ReadSession,
  { own, main }: Scope,
  sought: SoughtSlug,
): Promise<StoredJson | null> {
  const { reads, session } = reading
  const [first, rest] = own === null ? [main, null] : [own, main]
  const found = first === null ? null : await headBySlug(reading, { branch: first, ...sought })
  if (found || rest === null) return found
  const { kind, slug } = sought
  const row = await reads.bySlugVisible.get({ branch: rest, over: first, kind, slug })
  return row ? decodeJsonRow(row, session.branches) : null
}

/** The live head with a slug in exactly this branch, from the cache or the database. */
async function headBySlug(
  { reads, session }: ReadSession,
  { hasText, ...ref }: SoughtSlug & SlugRef,
): Promise<StoredJson | null> {
  const { heads } = session
  const cached = heads?.bySlug(ref, hasText)
  if (cached) return cached
  const before = heads?.changes()
  const row = await reads.bySlug.get({ ...ref })
  if (!row) return null
  const stored = decodeJsonRow(row, session.branches)
  if (heads?.changes() === before) heads?.put(row, stored)
  return stored
}

/**
 * The branch whose history is read: the package's when it has a head of the entity, else main,
 * without checking that main has one.
 */
async function holderOf(
  reads: EntityReads,
  { own, main }: Scope,
  { kind, id }: EntityRef,
): Promise<number | null> {
  const held = own === null ? undefined : await reads.holds.get({ branch: own, kind, id })
  return held ? own : main
}

async function findIncoming(
  reads: EntityReads,
  { own, main }: Scope,
  { target, limit }: { target: string; limit: number },
): Promise<EdgeRow[]> {
  if (own === null) return main === null ? [] : reads.incoming.all({ branch: main, target, limit })
  const owned = await reads.incoming.all({ branch: own, target, limit })
  const visible =
    main === null ? [] : await reads.incomingVisible.all({ branch: main, over: own, target, limit })
  return [...owned, ...visible].toSorted(bySource).slice(0, limit)
}

function bySource(a: EdgeRow, b: EdgeRow): number {
  if (a[2] !== b[2]) return a[2] < b[2] ? -1 : 1
  return a[26] < b[26] ? -1 : 1
}

function decodeEdge(source: Entity, targetId: string, row: EdgeRow): IncomingEdge {
  return { source, path: row[26], targetId, onDelete: row[27] }
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
