import {
  StoreConflict,
  type EntityKind,
  type EntityMoment,
  type EntityPage,
  type EntityQuery,
  type EntityRef,
  type EntityVersion,
  type EntityWrite,
  type EntityWriter,
  type IncomingEdge,
  type Line,
  type Reader,
} from '../ports/index.ts'
import { compareText } from './compare.ts'
import { matches } from './filter.ts'
import { comparePlaces, cursorOf } from './order.ts'
import { lineOf, lineScope, mainOf, type State } from './state.ts'
import { holdsWords } from './words.ts'

/** The entities of a state. Lists walk every head of the line; everything else is a look-up. */
export function memoryEntities(state: State): EntityWriter {
  return {
    get: async (line, kind, id) => headOf(state, line, { kind, id }),
    getMany: async (line, kind, ids) =>
      [...new Set(ids)].flatMap((id) => headOf(state, line, { kind, id }) ?? []),
    getBySlug: async (line, kind, slug) => bySlug(state, line, { kind, slug }),
    list: async (line, query) => listHeads(state, line, query),
    version: async (line, ref, version) =>
      historyOf(state, line, ref)?.versions.find((found) => found.version === version) ?? null,
    versions: async (line, ref, { before = Infinity, limit }) =>
      (historyOf(state, line, ref)?.versions ?? [])
        .filter(({ version }) => version < before)
        .toSorted((a, b) => b.version - a.version)
        .slice(0, limit),
    moment: async (line, ref, time) =>
      historyOf(state, line, ref)
        ?.moments.filter(({ from }) => from <= time)
        .toSorted((a, b) => a.from - b.from)
        .at(-1) ?? null,
    incoming: async (line, targetId, limit) => incomingEdges(state, line, targetId).slice(0, limit),
    put: async (entity, expectedRevision) => putHead(state, entity, expectedRevision),
    purge: async (line, ref) => purge(state, line, ref),
  }
}

function ownHeads(state: State, line: Line, kind: EntityKind) {
  return state.table('heads', `${lineScope(line)} ${kind}`)
}

/** The head that a line shows: its own, else main's. */
function headOf(state: State, line: Line, { kind, id }: EntityRef): EntityWrite | null {
  const own = ownHeads(state, line, kind).get(id)
  if (own || line.packageId === null) return own ?? null
  return ownHeads(state, mainOf(line), kind).get(id) ?? null
}

function bySlug(
  state: State,
  line: Line,
  { kind, slug }: { kind: EntityKind; slug: string },
): EntityWrite | null {
  const id = slugsOf(state, line, kind).get(slug)
  if (id !== undefined) return headOf(state, line, { kind, id })
  if (line.packageId === null) return null
  const main = bySlug(state, mainOf(line), { kind, slug })
  return main && !ownHeads(state, line, kind).get(main.id) ? main : null
}

function slugsOf(state: State, line: Line, kind: EntityKind) {
  return state.table('slugs', `${lineScope(line)} ${kind}`)
}

/** Every head that a line shows, soft-deleted ones too. */
function* shownHeads(state: State, line: Line, kind: EntityKind): Generator<EntityWrite> {
  const own = ownHeads(state, line, kind)
  yield* own.values()
  if (line.packageId === null) return
  for (const head of ownHeads(state, mainOf(line), kind).values()) if (!own.get(head.id)) yield head
}

function listHeads(state: State, line: Line, query: EntityQuery): EntityPage {
  const { sort, after, offset = 0, limit } = query
  const found = [...shownHeads(state, line, query.kind)].filter((head) => isListed(head, query))
  const placed = found.map((head) => ({ head, place: cursorOf(head, sort) }))
  const sorted = placed.toSorted((a, b) => comparePlaces(a.place, b.place, sort))
  const rest = after ? sorted.filter(({ place }) => comparePlaces(place, after, sort) > 0) : sorted
  const page = rest.slice(offset, offset + limit)
  const last = offset + limit < rest.length ? page.at(-1) : undefined
  return {
    entities: page.map(({ head }) => head),
    ...(query.count && { count: found.length }),
    ...(last && { next: last.place }),
  }
}

function isListed(head: EntityWrite, { archived, reader, filter, text }: EntityQuery): boolean {
  if (head.deletedDate !== null || (head.archived && !archived) || !maySee(head, reader)) return false
  if (filter && !matches(head, filter)) return false
  return text === undefined || holdsWords(head.searchText, text)
}

function maySee({ type, roles }: EntityWrite, reader: Reader): boolean {
  if (reader.types !== 'all' && !reader.types.includes(type)) return false
  if (roles.read.length === 0 || reader.roles === 'all') return true
  const held = reader.roles
  return roles.read.some((role) => held.includes(role))
}

interface History {
  readonly versions: readonly EntityVersion[]
  readonly moments: readonly EntityMoment[]
}

/** What the line that holds an entity's head keeps of its past. */
function historyOf(state: State, line: Line, key: EntityRef): History | null {
  const head = headOf(state, line, key)
  if (!head) return null
  const scope = historyScope(lineOf(head), key)
  return {
    versions: [...state.table('versions', scope).values()],
    moments: [...state.table('moments', scope).values()],
  }
}

function historyScope(line: Line, { kind, id }: EntityRef): string {
  return `${lineScope(line)} ${kind} ${id}`
}

function incomingEdges(state: State, line: Line, targetId: string): IncomingEdge[] {
  const kinds: readonly EntityKind[] = ['item', 'folder', 'taxonomy', 'category', 'site', 'section', 'page']
  const live = kinds
    .flatMap((kind) => [...shownHeads(state, line, kind)])
    .filter((head) => head.deletedDate === null)
  const edges = live.flatMap((source) =>
    source.edges.filter((edge) => edge.targetId === targetId).map((edge) => ({ ...edge, source })),
  )
  return edges.toSorted((a, b) => compareText(a.source.id, b.source.id) || compareText(a.path, b.path))
}

function putHead(state: State, entity: EntityWrite, expectedRevision: number): void {
  const line = lineOf(entity)
  const heads = ownHeads(state, line, entity.kind)
  const present = heads.get(entity.id)
  if ((present?.revision ?? 0) !== expectedRevision) throw new StoreConflict('stale', entity.id)
  takeSlug(state, line, { entity, present })
  heads.set(entity.id, entity)
  keepVersion(state, line, entity)
}

function takeSlug(
  state: State,
  line: Line,
  { entity, present }: { entity: EntityWrite; present: EntityWrite | undefined },
): void {
  const slugs = slugsOf(state, line, entity.kind)
  const lives = entity.deletedDate === null && entity.slug !== null
  const holder =
    lives && entity.slug !== null ? bySlug(state, line, { kind: entity.kind, slug: entity.slug }) : null
  if (holder && holder.id !== entity.id) throw new StoreConflict('slug', entity.slug ?? '')
  if (present && present.slug !== null && slugs.get(present.slug) === entity.id) slugs.delete(present.slug)
  if (lives && entity.slug !== null) slugs.set(entity.slug, entity.id)
}

function keepVersion(state: State, line: Line, entity: EntityWrite): void {
  const { kind, id, version, type, name, slug, parentId, roles, body, updatedDate, updatedBy } = entity
  const scope = historyScope(line, entity)
  const versions = state.table('versions', scope)
  if (!versions.get(String(version))) {
    const saved: EntityVersion = {
      kind,
      id,
      version,
      type,
      name,
      slug,
      parentId,
      roles,
      body,
      savedDate: updatedDate,
      savedBy: updatedBy,
    }
    versions.set(String(version), saved)
  }
  const { publishedVersion, publishedDate, archived, deletedDate } = entity
  const from = entity.writtenDate ?? entity.updatedDate
  const deleted = deletedDate !== null
  const moment = { from, version, publishedVersion, publishedDate, archived, deleted }
  state.table('moments', scope).set(String(from), moment)
}

function purge(state: State, line: Line, key: EntityRef): void {
  const heads = ownHeads(state, line, key.kind)
  const present = heads.get(key.id)
  if (!present) return
  const slugs = slugsOf(state, line, key.kind)
  if (present.slug !== null && slugs.get(present.slug) === key.id) slugs.delete(present.slug)
  heads.delete(key.id)
  const scope = historyScope(line, key)
  for (const kind of ['versions', 'moments'] as const) {
    const table = state.table(kind, scope)
    for (const name of table.keys()) table.delete(name)
  }
}
