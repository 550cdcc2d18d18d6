import {
  entityKinds,
  StoreConflict,
  type EntityRef,
  type EntityWrite,
  type EntityWriter,
  type Line,
  type OwnHead,
  type SearchDocument,
} from '../ports/index.ts'
import { compareText } from './compare.ts'
import { deletedBefore, forgetDeleted, noteDeleted } from './deleted.ts'
import { edgesAt } from './edges.ts'
import { facetsOf } from './facets.ts'
import { headOf, type Head } from './head.ts'
import { incomingEdges } from './incoming.ts'
import type { IndexedPlace } from './indexed.ts'
import { entityScope, kindScope, ownHead, shownHead, slugHolders, targetScope } from './lines.ts'
import { listHeads } from './list.ts'
import {
  findMoment,
  findVersion,
  forgetPast,
  forgetVersions,
  keepPast,
  neededBlobs,
  versionsOf,
} from './past.ts'
import { documentsOf, searchHeads } from './search.ts'
import { indexDocument } from './search-index.ts'
import type { OpenState, State } from './state.ts'

/** The entities of a state. Lists walk every head of the kind; everything else is a look-up. */
export function memoryEntities(open: OpenState): EntityWriter {
  return {
    get: async (line, kind, id) => shownHead(open(), line, { kind, id })?.entity ?? null,
    getMany: async (line, kind, ids) => {
      const state = open()
      return [...new Set(ids)].flatMap((id) => shownHead(state, line, { kind, id })?.entity ?? [])
    },
    getBySlug: async (line, kind, slug) => slugHolders(open(), line, { kind, slug })[0]?.entity ?? null,
    list: async (line, query) => listHeads(open(), line, query),
    ownHeads: async (line, page) => ownHeads(open(), line, page),
    version: async (line, ref, version) => findVersion(open(), { line, ref }, version),
    versions: async (line, ref, { before = Infinity, limit }) =>
      versionsOf(open(), line, ref)
        .filter(({ version }) => version < before)
        .slice(0, limit),
    moment: async (line, ref, time) => findMoment(open(), { line, ref }, time),
    neededBlobs: async (page) => neededBlobs(open(), page),
    deletedBefore: async (page) => deletedBefore(open(), page),
    incoming: async (line, targetId, limit) => incomingEdges(open(), line, targetId).slice(0, limit),
    edges: async (line, query) => edgesAt(open(), line, query),
    search: async (line, query) => searchHeads(open(), line, query),
    facets: async (line, query) => facetsOf(open(), line, query),
    documents: async (line, kind, ids) => documentsOf(open(), line, { kind, ids }),
    put: async (entity, expectedRevision) => putHead(open(), entity, expectedRevision),
    describe: async (line, ref, document) => describeHead(open(), { line, ref }, document),
    forgetVersions: async (line, ref, old) => forgetVersions(open(), { line, ref }, old),
    purge: async (line, ref) => purgeHead(open(), line, ref),
  }
}

/** The versions of main that a package's head rests on. */
function restingOn({ base, publishedVersion }: EntityWrite): readonly (number | null)[] {
  const pinned = publishedVersion !== null && publishedVersion < 0 ? -publishedVersion : null
  return [base?.version ?? null, base?.publishedVersion ?? null, pinned]
}

function ownHeads(
  state: State,
  line: Line,
  { after, limit }: { after?: EntityRef; limit: number },
): readonly OwnHead[] {
  const kinds = entityKinds.filter((kind) => !after || kind >= after.kind)
  const heads = kinds.flatMap((kind) => [...state.heads.values(kindScope(line, kind))])
  return heads
    .map(({ entity: { body: _body, presentation: _presentation, ...head } }) => head)
    .filter(({ kind, id }) => !after || kind > after.kind || compareText(id, after.id) > 0)
    .toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.id, b.id))
    .slice(0, limit)
}

function putHead(state: State, write: EntityWrite, expectedRevision: number): void {
  const before = ownHead(state, write, write)
  if ((before?.entity.revision ?? 0) !== expectedRevision) throw new StoreConflict('stale', write.id)
  requireFreeSlug(state, write)
  if (before) removeDerived(state, before)
  const said = write.deletedDate === null ? write.search : null
  const head = { ...headOf(write), found: indexDocument(state, placeOf(write), said) }
  state.heads.set(kindScope(write, write.kind), write.id, head)
  if (write.packageId !== null) state.bases.set(entityScope(write), write.packageId, restingOn(write))
  addDerived(state, head)
  keepPast(state, write)
}

function placeOf({ repositoryId, packageId, kind, id }: EntityWrite): IndexedPlace {
  return { line: { repositoryId, packageId }, ref: { kind, id } }
}

function describeHead(state: State, { line, ref }: IndexedPlace, document: SearchDocument): void {
  const head = ownHead(state, line, ref)
  if (!head || head.entity.deletedDate !== null) return
  const found = indexDocument(state, { line, ref }, document)
  state.heads.set(kindScope(line, ref.kind), ref.id, { ...head, found })
}

/** Errors: StoreConflict `slug`. */
function requireFreeSlug(state: State, { slug, deletedDate, ...write }: EntityWrite): void {
  if (slug === null || deletedDate !== null) return
  const holders = slugHolders(state, write, { kind: write.kind, slug })
  if (holders.some(({ entity }) => entity.id !== write.id)) throw new StoreConflict('slug', slug)
}

function purgeHead(state: State, line: Line, ref: EntityRef): void {
  const head = ownHead(state, line, ref)
  if (!head) return
  removeDerived(state, head)
  indexDocument(state, { line, ref }, null)
  state.heads.delete(kindScope(line, ref.kind), ref.id)
  if (line.packageId !== null) state.bases.delete(entityScope(ref), line.packageId)
  forgetPast(state, line, ref)
}

function addDerived(state: State, head: Head): void {
  const { entity, edges } = head
  const { kind, id, slug, deletedDate } = entity
  noteDeleted(state, head)
  if (slug !== null && deletedDate === null) state.slugs.set(kindScope(entity, kind), slug, id)
  for (const { targetId } of edges)
    state.sources.set(targetScope(entity, targetId), sourceKey(entity), { kind, id })
}

function removeDerived(state: State, head: Head): void {
  const { entity, edges } = head
  const { kind, slug, deletedDate } = entity
  forgetDeleted(state, head)
  if (slug !== null && deletedDate === null) state.slugs.delete(kindScope(entity, kind), slug)
  for (const { targetId } of edges) state.sources.delete(targetScope(entity, targetId), sourceKey(entity))
}

function sourceKey({ kind, id }: EntityRef): string {
  return `${kind} ${id}`
}
