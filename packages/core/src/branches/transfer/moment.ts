import { versionOf } from '../../content/kinds/versions.ts'
import type { Call } from '../../engine/call.ts'
import type { Branch, Entity, EntityKind, EntityRef, OwnHead } from '../../ports/index.ts'

/** The live heads of a branch as they were when the call began, however long it takes to read them. */
export interface Moment {
  /**
   * The heads of one kind, about a hundred at a time, in the order that `arrange` gives to all of
   * them; null: by id.
   */
  pages(
    kind: EntityKind,
    arrange: ((heads: readonly OwnHead[]) => readonly OwnHead[]) | null,
  ): AsyncGenerator<readonly Entity[]>
}

// Heads read at a time, which takes about 2 ms.
const headsAtOnce = 100

// Entries of the journal read at a time.
const entriesAtOnce = 1000

/**
 * Opens the moment of a call. What is saved later is told by the journal, and read as it was; a
 * change that is under way when the call begins may be there in part.
 */
export async function openMoment(call: Call, branch: Branch): Promise<Moment> {
  const { entities, journal } = call.store
  const [newest] = await journal.readBack({ limit: 1 })
  let seen = newest?.sequence ?? 0
  const changed = new Set<string>()
  const noteChanges = async () => {
    for (;;) {
      const rows = await journal.read({
        after: seen,
        limit: entriesAtOnce,
        repositoryId: branch.repositoryId,
      })
      for (const { entityId } of rows) changed.add(entityId)
      seen = rows.at(-1)?.sequence ?? seen
      if (rows.length < entriesAtOnce) return
    }
  }
  const asItWas = async (head: Entity): Promise<Entity | null> => {
    if (!changed.has(head.id)) return head.deletedDate === null ? head : null
    const moment = await entities.moment(branch, head, call.now)
    const version = moment && !moment.deleted && (await versionOf(entities, head, moment.version))
    if (!version) return null
    const { type, name, slug, parentId, roles, body, savedDate: updatedDate, savedBy: updatedBy } = version
    const { archived, publishedVersion, publishedDate } = moment
    const state = { version: moment.version, archived, publishedVersion, publishedDate, deletedDate: null }
    return { ...head, type, name, slug, parentId, roles, body, updatedDate, updatedBy, ...state }
  }
  const read = async (kind: EntityKind, heads: readonly OwnHead[]): Promise<readonly Entity[]> => {
    const ids = heads.map(({ id }) => id)
    const found = new Map<string, Entity>()
    for (const head of await entities.getMany(branch, kind, ids)) found.set(head.id, head)
    await noteChanges()
    const page: Entity[] = []
    for (const id of ids) {
      const head = found.get(id)
      const was = head && (await asItWas(head))
      if (was) page.push(was)
    }
    return page
  }
  return {
    async *pages(kind, arrange) {
      if (!arrange) {
        for await (const heads of headsOf(call, branch, kind)) yield await read(kind, heads)
        return
      }
      const all: OwnHead[] = []
      for await (const heads of headsOf(call, branch, kind)) all.push(...heads)
      const arranged = arrange(all)
      for (let start = 0; start < arranged.length; start += headsAtOnce)
        yield await read(kind, arranged.slice(start, start + headsAtOnce))
    },
  }
}

/** The heads of one kind that exactly this branch holds, by id. */
async function* headsOf(
  { store }: Call,
  branch: Branch,
  kind: EntityKind,
): AsyncGenerator<readonly OwnHead[]> {
  for (let after: EntityRef | undefined = { kind, id: '' }; after;) {
    const page: readonly OwnHead[] = await store.entities.ownHeads(branch, { after, limit: headsAtOnce })
    const own = page.filter((head) => head.kind === kind)
    if (own.length > 0) yield own
    after = own.length < headsAtOnce ? undefined : own.at(-1)
  }
}
