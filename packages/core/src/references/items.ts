import { limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { badCursor } from '../call/paging.ts'
import { openCursor, sealCursor } from '../call/sealed-cursor.ts'
import { takingTurns } from '../call/turns.ts'
import { findItem, mayRead } from '../items/find.ts'
import { headStatus } from '../items/present.ts'
import { findPlace } from '../lines/lines.ts'
import type { EdgeQuery, Entity, GraphEdge, Line } from '../ports/index.ts'

type Items = Contract['references']['items']
type Reference = OutputOf<Items>['items'][number]

/** Edges that one page looks at: a page of what only few may read ends there and goes on with the next. As many are counted. */
const mostScanned = limits.countedReferences

const headsAtOnce = 1000

/** The items that refer to an item, field by field, as the line shows them. Errors: `not_found`; `invalid` for a cursor that is none. */
export async function listReferringItems(call: Call, input: ParsedOf<Items>): Promise<OutputOf<Items>> {
  const place = await findPlace(call, input)
  const { id: target } = await findItem(call, place, input.itemId)
  const scan = { line: place.line, target }
  const after = input.cursor === undefined ? undefined : await placeOf(call, target, input.cursor)
  const { items, next } = await pageOf(call, { ...scan, after, limit: input.limit ?? limits.pageDefault })
  return {
    ...(input.skipCount !== true && (await countOf(call, scan))),
    items,
    ...(next && { nextCursor: await sealCursor(call, `references:${target}`, next) }),
  }
}

type After = NonNullable<EdgeQuery['after']>

async function placeOf(call: Call, target: string, cursor: string): Promise<After> {
  const place = await openCursor(call, `references:${target}`, cursor)
  if (!Array.isArray(place)) throw badCursor()
  const [sourceId, path] = place
  return { sourceId: String(sourceId), targetId: target, path: String(path) }
}

interface Scan {
  readonly line: Line
  readonly target: string
  readonly after?: After | undefined
}

interface Scanned {
  readonly edge: GraphEdge
  /** The item that holds the edge; null when the caller may not read it. */
  readonly source: Entity | null
}

/**
 * The edges that point at an item, by source id, then path, with their sources: at most `mostScanned`. A store may put all edges of a target
 * in order for each read: the first takes `first` of them, and each further one ten times as many as the one before.
 */
async function* scanned(call: Call, { line, target, after }: Scan, first: number): AsyncGenerator<Scanned> {
  let last = after
  let looked = 0
  for (let step = first; looked < mostScanned; step *= 10) {
    const limit = Math.min(step, mostScanned - looked)
    const query = { end: 'target' as const, ids: [target], limit, ...(last && { after: last }) }
    const edges = await call.store.entities.edges(line, query)
    yield* withSources(call, line, edges)
    if (edges.length < limit) return
    last = edges.at(-1)
    looked += limit
  }
}

async function* withSources(call: Call, line: Line, edges: readonly GraphEdge[]): AsyncGenerator<Scanned> {
  const turn = takingTurns()
  for (let start = 0; start < edges.length; start += headsAtOnce) {
    const some = edges.slice(start, start + headsAtOnce)
    const sources = await sourcesOf(call, line, some)
    for (const edge of some) yield { edge, source: sources.get(edge.sourceId) ?? null }
    await turn()
  }
}

async function sourcesOf(
  call: Call,
  line: Line,
  edges: readonly GraphEdge[],
): Promise<ReadonlyMap<string, Entity>> {
  const ids = new Set(edges.filter(({ sourceKind }) => sourceKind === 'item').map(({ sourceId }) => sourceId))
  const heads = ids.size === 0 ? [] : await call.store.entities.getMany(line, 'item', [...ids])
  return new Map(heads.filter((head) => mayRead(call, head)).map((head) => [head.id, head]))
}

async function pageOf(
  call: Call,
  { limit, ...scan }: Scan & { limit: number },
): Promise<{ items: Reference[]; next: readonly string[] | null }> {
  const items: Reference[] = []
  let looked = 0
  let last: readonly string[] | null = null
  // Where the page goes on tells nothing of what was passed over.
  let lastShown: readonly string[] | null = null
  for await (const { edge, source } of scanned(call, scan, limit + 1)) {
    if (source && items.length === limit) return { items, next: lastShown }
    last = [edge.sourceId, edge.path]
    if (source) {
      items.push(referenceOf(source, edge))
      lastShown = last
    }
    looked += 1
  }
  return { items, next: looked === mostScanned ? last : null }
}

async function countOf(call: Call, scan: Scan): Promise<Pick<OutputOf<Items>, 'count' | 'countIsCapped'>> {
  let looked = 0
  let count = 0
  for await (const { source } of scanned(call, { ...scan, after: undefined }, mostScanned)) {
    looked += 1
    if (source) count += 1
  }
  return { count, ...(looked === mostScanned && { countIsCapped: true }) }
}

function referenceOf(source: Entity, { path, onDelete }: GraphEdge): Reference {
  const { id, name, type, slug } = source
  return { item: { id, name, type, slug: slug ?? '', status: headStatus(source) }, path, onDelete }
}
