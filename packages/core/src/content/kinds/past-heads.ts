import type { Call } from '../../engine/call.ts'
import type { Branch, Entity, EntityKind, EntityMoment, EntityRef, OwnHead } from '../../ports/index.ts'
import { momentVisible } from './versions.ts'

/** An entity that existed at a time, and its state then. */
export interface PastHead {
  /** The head of today, which may be deleted. */
  readonly head: Entity
  readonly moment: EntityMoment
}

/** Which entities to read as they were. */
export interface PastQuery {
  readonly kind: EntityKind
  /** Unix ms. */
  readonly at: number
  /** Continues after this id. */
  readonly after: string
  /** Whether to look at an entity at all, from its head of today. */
  readonly isWanted: (head: OwnHead) => boolean
}

/** Heads that are read at once. */
const headsAtOnce = 100

/** A head that was looked at, with what it was; null if it did not exist then or is not wanted. */
export interface Looked {
  readonly id: string
  readonly past: PastHead | null
}

/**
 * Every entity of a kind that a branch showed at a time, in the order of their ids. Cost:
 * proportional to the entities that the branch and main have, so callers stop when they have
 * enough.
 */
export async function* pastHeads(call: Call, branch: Branch, query: PastQuery): AsyncGenerator<Looked> {
  const { entities } = call.store
  for await (const heads of visibleHeads(call, branch, query)) {
    const wanted = heads.filter((head) => head.createdDate <= query.at && query.isWanted(head))
    const found = new Map<string, Entity>()
    for (const [packageId, group] of Map.groupBy(wanted, (head) => head.packageId)) {
      const ids = group.map(({ id }) => id)
      for (const head of await entities.getMany({ ...branch, packageId }, query.kind, ids))
        found.set(head.id, head)
    }
    for (const { id } of heads) {
      call.signal?.throwIfAborted()
      const head = found.get(id)
      const moment = head && (await momentVisible(entities, head, query.at))
      yield { id, past: head && moment && !moment.deleted ? { head, moment } : null }
    }
  }
}

/** The heads of a branch, and in a package those of main that it has not changed, by id. */
async function* visibleHeads(
  call: Call,
  branch: Branch,
  { kind, after }: PastQuery,
): AsyncGenerator<readonly OwnHead[]> {
  const main = { ...branch, packageId: null }
  let position = after
  for (;;) {
    const from: EntityRef = { kind, id: position }
    const read = async (one: Branch) => {
      const page = await call.store.entities.ownHeads(one, { after: from, limit: headsAtOnce })
      return page.filter((head) => head.kind === kind)
    }
    const own = branch.packageId === null ? [] : await read(branch)
    const others = await read(main)
    // A page ends where the shorter of the two ends, if it is full.
    const ends = [own, others].flatMap((page) => (page.length === headsAtOnce ? (page.at(-1)?.id ?? []) : []))
    const end = ends.toSorted()[0]
    const shown = new Map([...others, ...own].map((head) => [head.id, head]))
    const heads = [...shown.values()].filter(({ id }) => end === undefined || id <= end)
    yield heads.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    if (end === undefined) return
    position = end
  }
}
