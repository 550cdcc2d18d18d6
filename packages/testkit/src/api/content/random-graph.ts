import type { Api, DependencyGraph, DependencyNode } from '@quire/contract'
import { anArticle } from '../delivery/magazine.ts'

const repo = 'magazine'
const size = 16

/** The targets of each existing item. */
type Links = ReadonlyMap<string, readonly string[]>

/** Items with random references, and the facts known about them. */
export interface KnownGraph {
  readonly packageName: string
  readonly main: Links
  /** The references that the package shows. */
  readonly overlaid: Links
  /** Items that readers of everything else may not read. */
  readonly closed: ReadonlySet<string>
  readonly names: ReadonlyMap<string, string>
}

/** Numbers below one that look random, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface LinkRows {
  readonly create: (index: number, packageName?: string) => Promise<string>
  readonly remove: (ids: readonly string[], packageName?: string) => Promise<ReadonlySet<string>>
  /** Links each of some items to random others. */
  readonly link: (ids: readonly string[], to: readonly string[], packageName?: string) => Promise<Links>
  readonly some: (ids: readonly string[], share: number) => string[]
}

/**
 * Creates a random graph in the magazine: with cycles, loops, deleted and closed items, and a
 * package that changes, deletes and adds items. Deleted items are deleted first, because a deletion
 * removes references.
 */
export async function randomGraph(api: Api, seed: number): Promise<KnownGraph> {
  const packageName = `graph ${seed}`
  const names = new Map<string, string>()
  const closed = new Set<string>()
  const { create, remove, link, some } = await drawing(api, { seed, names, closed })
  await api.packages.create({ repo, name: packageName })
  const ids: string[] = []
  for (let index = 0; index < size; index += 1) ids.push(await create(index))
  const gone = await remove(some(ids, 0.12))
  const there = ids.filter((id) => !gone.has(id))
  const goneInPackage = await remove(some(there, 0.12), packageName)
  const main = await link(there, ids)
  const added = await create(size, packageName)
  const left = there.filter((id) => !goneInPackage.has(id))
  const own = await link([added, ...some(left, 0.3)], [...ids, added], packageName)
  const stored = [...main].filter(([id]) => !goneInPackage.has(id))
  return { packageName, main, overlaid: new Map([...stored, ...own]), closed, names }
}

async function drawing(
  { items, roles }: Api,
  { seed, names, closed }: { seed: number; names: Map<string, string>; closed: Set<string> },
): Promise<LinkRows> {
  const random = randomNumbers(seed)
  const role = await roles.create({ name: `graph ${seed}` })
  const some: LinkRows['some'] = (ids, share) => ids.filter(() => random() < share)
  return {
    some,
    async create(index, packageName) {
      const name = `${seed}.${index}`
      const isClosed = random() < 0.2
      const readPerm = isClosed ? [role.id] : []
      const { id } = await items.create(anArticle({ name, readPerm, ...on(packageName) }))
      names.set(id, name)
      if (isClosed) closed.add(id)
      return id
    },
    async remove(ids, packageName) {
      for (const id of ids) await items.delete({ configId: repo, id, ...on(packageName) })
      return new Set(ids)
    },
    async link(ids, to, packageName) {
      const links = new Map<string, readonly string[]>()
      for (const id of ids) {
        const related = some(to, 0.13)
        links.set(id, related)
        await items.update({ configId: repo, id, ...on(packageName), fields: { related } })
      }
      return links
    },
  }
}

function on(packageName: string | undefined): { packageName?: string } {
  return packageName === undefined ? {} : { packageName }
}

/** The start, the direction and the depth of a question. */
interface GraphQuestion {
  readonly links: Links
  readonly id: string
  readonly depth: number
  readonly end: 'from' | 'to'
}

/** A graph in a fixed order, for comparison. */
export function inOrder({ nodes, edges, isTruncated }: DependencyGraph): DependencyGraph {
  return {
    nodes: nodes.toSorted((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1)),
    edges: edges.toSorted((a, b) => (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1)),
    isTruncated,
  }
}

/** The expected answer, found by repeatedly walking all edges. */
export function expectedGraph(graph: KnownGraph, { links, id, depth, end }: GraphQuestion): DependencyGraph {
  const isSeen = (at: string) => links.has(at) && !graph.closed.has(at)
  const all = [...links].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
  const visible = all.filter(({ from }) => isSeen(from))
  const away = new Map([[id, 0]])
  const other = end === 'from' ? 'to' : 'from'
  for (let round = 1; round <= depth; round += 1) {
    const reached = visible.filter((edge) => away.get(edge[end]) === round - 1 && isSeen(edge[end]))
    for (const edge of reached) if (!away.has(edge[other])) away.set(edge[other], round)
  }
  const followed = visible.filter((edge) => (away.get(edge[end]) ?? depth) < depth && isSeen(edge[end]))
  const edges = followed.map((edge) => ({ ...edge, path: 'related', onDelete: 'unset' as const }))
  const nodes = [...away].map(([at, steps]) => nodeAt(at, steps))
  return inOrder({ nodes, edges, isTruncated: false })

  function nodeAt(at: string, steps: number): DependencyNode {
    const name = isSeen(at) ? (graph.names.get(at) ?? null) : null
    const isMissing = name === null
    return { id: at, kind: 'item', name, type: isMissing ? null : 'article', depth: steps, isMissing }
  }
}
