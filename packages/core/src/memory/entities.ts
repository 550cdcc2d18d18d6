import {
  entityKinds,
  StoreConflict,
  type Entity,
  type EntityRef,
  type EntityWrite,
  type EntityWriter,
  type EntityVersion,
  type Branch,
  type OwnHead,
  type SearchDocument,
  type DeletedRef,
  type EdgeQuery,
  type GraphEdge,
  type FacetCount,
  type FacetQuery,
  type QueryField,
  type QueryValue,
} from '../ports/index.ts'
import {
  incomingEdges,
  visibleSources,
  entityScope,
  kindScope,
  ownHead,
  visibleHead,
  slugHolders,
  targetScope,
  withMainReaders,
  pastScope,
} from './branches.ts'
import { compareText, compareValues } from '../adapters/filters.ts'
import { headOf, type Head, valuesOf } from './head.ts'
import { indexDocument } from './search-index.ts'
import { type IndexedPosition } from './indexed.ts'
import { listHeads, matchingHeads } from './matching.ts'
import {
  findMoment,
  findVersion,
  forgetPast,
  forgetVersions,
  retainPast,
  neededBlobs,
  versionsOf,
} from './past.ts'
import { documentsOf, searchHeads } from './search.ts'
import type { OpenState, State } from './state.ts'
import { chargeItem, creditItem } from './usage.ts'

/** The entities of a state. Lists walk all heads of the kind; everything else is a lookup. */
export function memoryEntities(open: OpenState): EntityWriter {
  return {
    get: async (branch, kind, id) => found(open(), visibleHead(open(), branch, { kind, id })),
    getMany: async (branch, kind, ids) => {
      const state = open()
      return [...new Set(ids)].flatMap((id) => found(state, visibleHead(state, branch, { kind, id })) ?? [])
    },
    getBySlug: async (branch, { kind, slug }) =>
      found(open(), slugHolders(open(), branch, { kind, slug })[0] ?? null),
    list: async (branch, query) => listHeads(open(), branch, query),
    ownHeads: async (branch, page) => ownHeads(open(), branch, page),
    version: async (branch, ref, version) => findVersion(open(), { branch, ref }, version),
    versions: async (branch, ref, { before = Infinity, limit }) =>
      versionsOf(open(), branch, ref)
        .filter(({ version }) => version < before)
        .slice(0, limit),
    versionTotals: async (branch, ref) => totalsOf(versionsOf(open(), branch, ref)),
    moment: async (branch, ref, time) => findMoment(open(), { branch, ref }, time),
    neededBlobs: async (page) => neededBlobs(open(), page),
    deletedBefore: async (page) => deletedBefore(open(), page),
    namesRole: async (role) => namesRole(open(), role),
    incoming: async (branch, targetId, limit) => incomingEdges(open(), branch, targetId).slice(0, limit),
    edges: async (branch, query) => edgesAt(open(), branch, query),
    search: async (branch, query) => searchHeads(open(), branch, query),
    facets: async (branch, query) => facetsOf(open(), branch, query),
    documents: async (branch, kind, ids) => documentsOf(open(), branch, { kind, ids }),
    put: async (entity, expectedRevision) => putHead(open(), entity, expectedRevision),
    describe: async (branch, ref, document) => describeHead(open(), { branch, ref }, document),
    // This store does not need the paths for which a head has no value.
    addEmptyValues: async () => void open(),
    forgetVersions: async (branch, ref, old) => forgetVersions(open(), { branch, ref }, old),
    purge: async (branch, ref) => purgeHead(open(), branch, ref),
  }
}

function found(state: State, head: Head | null): Entity | null {
  return head && withMainReaders(state, head.entity)
}

function totalsOf(versions: readonly EntityVersion[]): { count: number; bytes: number } {
  const encoder = new TextEncoder()
  const bytes = versions.reduce((sum, { body }) => sum + encoder.encode(JSON.stringify(body)).length, 0)
  return { count: versions.length, bytes }
}

function namesRole({ heads }: State, role: string): boolean {
  for (const { entity } of heads.all())
    if (Object.values(entity.roles).some((list) => list.includes(role))) return true
  return false
}

/** The versions of main that a package's head depends on. */
function baseVersionsOf({
  base,
  publishedVersion,
  inheritsPublished,
}: EntityWrite): readonly (number | null)[] {
  const inherited = inheritsPublished ? publishedVersion : null
  return [base?.version ?? null, base?.publishedVersion ?? null, inherited]
}

function ownHeads(
  state: State,
  branch: Branch,
  { after, limit }: { after?: EntityRef; limit: number },
): readonly OwnHead[] {
  const kinds = entityKinds.filter((kind) => !after || kind >= after.kind)
  const heads = kinds.flatMap((kind) => [...state.heads.values(kindScope(branch, kind))])
  return heads
    .map(({ entity: { body: _body, json: _json, ...head } }) => withMainReaders(state, head))
    .filter(({ kind, id }) => !after || kind > after.kind || compareText(id, after.id) > 0)
    .toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.id, b.id))
    .slice(0, limit)
}

function putHead(state: State, write: EntityWrite, expectedRevision: number): void {
  const before = ownHead(state, write, write)
  if ((before?.entity.revision ?? 0) !== expectedRevision) throw new StoreConflict('stale', write.id)
  requireFreeSlug(state, write)
  if (before) removeDerived(state, before)
  const given = write.deletedDate === null ? write.search : null
  const head = { ...headOf(write), found: indexDocument(state, scopeOf(write), given) }
  state.heads.set(kindScope(write, write.kind), write.id, head)
  if (write.packageId !== null) state.bases.set(entityScope(write), write.packageId, baseVersionsOf(write))
  addDerived(state, head)
  retainPast(state, write)
  if (!before) chargeItem(state, write)
}

function scopeOf({ repositoryId, packageId, kind, id }: EntityWrite): IndexedPosition {
  return { branch: { repositoryId, packageId }, ref: { kind, id } }
}

function describeHead(state: State, { branch, ref }: IndexedPosition, document: SearchDocument): void {
  const head = ownHead(state, branch, ref)
  if (!head || head.entity.deletedDate !== null) return
  const found = indexDocument(state, { branch, ref }, document)
  state.heads.set(kindScope(branch, ref.kind), ref.id, { ...head, found })
}

/** Errors: StoreConflict `slug`. */
function requireFreeSlug(state: State, { slug, deletedDate, ...write }: EntityWrite): void {
  if (slug === null || deletedDate !== null) return
  const holders = slugHolders(state, write, { kind: write.kind, slug })
  if (holders.some(({ entity }) => entity.id !== write.id)) throw new StoreConflict('slug', slug)
}

function purgeHead(state: State, branch: Branch, ref: EntityRef): void {
  const head = ownHead(state, branch, ref)
  if (!head) return
  removeDerived(state, head)
  indexDocument(state, { branch, ref }, null)
  state.heads.delete(kindScope(branch, ref.kind), ref.id)
  if (branch.packageId !== null) state.bases.delete(entityScope(ref), branch.packageId)
  forgetPast(state, branch, ref)
  creditItem(state, head.entity)
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

/** All soft-deleted heads are in one scope. */
const scope = ''

/** Remembers a head if it is soft-deleted. */
function noteDeleted({ deleted }: State, { entity }: Head): void {
  const { repositoryId, packageId, kind, id, deletedDate } = entity
  if (deletedDate !== null)
    deleted.set(scope, keyOf(entity), { repositoryId, packageId, kind, id, deletedDate })
}

/** Removes a head from the soft-deleted ones. */
function forgetDeleted({ deleted }: State, { entity }: Head): void {
  deleted.delete(scope, keyOf(entity))
}

/** The heads that were soft-deleted before a time, oldest first. */
function deletedBefore(
  state: State,
  { before, after, limit }: { before: number; after?: DeletedRef; limit: number },
): readonly DeletedRef[] {
  return [...state.deleted.values(scope)]
    .filter((ref) => ref.deletedDate < before && (!after || compare(ref, after) > 0))
    .toSorted(compare)
    .slice(0, limit)
}

function compare(a: DeletedRef, b: DeletedRef): number {
  return a.deletedDate - b.deletedDate || compareText(keyOf(a), keyOf(b))
}

function keyOf(ref: Omit<DeletedRef, 'deletedDate'>): string {
  return pastScope(ref, ref)
}

/**
 * Edges of live heads visible on the branch that have one of the ids at the given end, ordered by
 * that end, the other end, then path.
 */
function edgesAt(state: State, branch: Branch, { end, ids, limit, after }: EdgeQuery): readonly GraphEdge[] {
  const found = [...new Set(ids)].flatMap((id) =>
    end === 'source' ? edgesFrom(state, branch, id) : edgesTo(state, branch, id),
  )
  const [first, second] = end === 'source' ? ends : ends.toReversed()
  const compare = (a: EdgeKey, b: EdgeKey) =>
    compareText(a[first], b[first]) || compareText(a[second], b[second]) || compareText(a.path, b.path)
  return found
    .filter((edge) => after === undefined || compare(edge, after) > 0)
    .toSorted(compare)
    .slice(0, limit)
}

type EdgeKey = NonNullable<EdgeQuery['after']>

const ends = ['sourceId', 'targetId'] as const

function edgesFrom(state: State, branch: Branch, id: string): readonly GraphEdge[] {
  return entityKinds.flatMap((kind) => edgesOf(visibleHead(state, branch, { kind, id })))
}

function edgesTo(state: State, branch: Branch, targetId: string): readonly GraphEdge[] {
  return visibleSources(state, branch, targetId)
    .flatMap(edgesOf)
    .filter((edge) => edge.targetId === targetId)
}

function edgesOf(head: Head | null): readonly GraphEdge[] {
  if (head === null || head.entity.deletedDate !== null) return []
  const { kind, id } = head.entity
  return head.edges.map((edge) => ({ ...edge, sourceKind: kind, sourceId: id }))
}

/**
 * How often each value of some fields occurs among the heads visible on a branch. Walks all heads
 * of the kind.
 */
function facetsOf(state: State, branch: Branch, query: FacetQuery): readonly (readonly FacetCount[])[] {
  const heads = matchingHeads(state, branch, query)
  return query.fields.map((field) => countValues(heads, field).slice(0, query.limit))
}

/** A head counts once for each distinct value. */
function countValues(heads: readonly Head[], field: QueryField): readonly FacetCount[] {
  const counts = new Map<QueryValue, number>()
  for (const value of heads.flatMap((head) => [...new Set(valuesOf(head, field))]))
    counts.set(value, (counts.get(value) ?? 0) + 1)
  return Array.from(counts, ([value, count]) => ({ value, count })).toSorted(
    (a, b) => b.count - a.count || compareValues(a.value, b.value),
  )
}
