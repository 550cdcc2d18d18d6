import { ownHeadsOf } from '../../content/kinds/heads.ts'
import { versionOf } from '../../content/kinds/versions.ts'
import type { Call } from '../../engine/call.ts'
import type { Branch, Entity, EntityKind, EntityMoment, OwnHead, Publications } from '../../ports/index.ts'

/**
 * The heads of a branch as they were when the call began, however long it takes to read them: on
 * main the live ones, in a package also those that it deletes.
 */
export interface Moment {
  /** The heads of one kind, about a hundred at a time. */
  pages(kind: EntityKind, which: WhichHeads): AsyncGenerator<readonly Entity[]>
}

interface WhichHeads {
  /** Only these; undefined: all that exactly this branch holds, by id. */
  readonly ids: readonly string[] | undefined
  /** The order of all of them; null: as they come. */
  readonly arrange: ((heads: readonly OwnHead[]) => readonly OwnHead[]) | null
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
    const isPackage = branch.packageId !== null
    if (!changed.has(head.id)) return isPackage || head.deletedDate === null ? head : null
    const moment = await entities.moment(branch, head, call.now)
    const isThere = moment && (isPackage || !moment.deleted)
    const version = isThere && (await versionOf(entities, head, moment.version))
    if (!version) return null
    const { type, name, slug, parentId, roles, body, savedDate: updatedDate, savedBy: updatedBy } = version
    const { archived, publishedVersion, publishedDate, deleted } = moment
    const deletedDate = deleted ? call.now : null
    const state = { version: moment.version, archived, publishedVersion, publishedDate, deletedDate }
    const was = { ...head, type, name, slug, parentId, roles, body, updatedDate, updatedBy, ...state }
    return { ...was, ...publicationsThen(head.publications, moment) }
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
    async *pages(kind, { ids, arrange }) {
      const found = ids
        ? headsAmong(call, branch, { kind, ids })
        : ownHeadsOf(call.store.entities, branch, kind)
      if (!arrange) {
        for await (const heads of found) yield await read(kind, heads)
        return
      }
      const all: OwnHead[] = []
      for await (const heads of found) all.push(...heads)
      const arranged = arrange(all)
      for (let start = 0; start < arranged.length; start += headsAtOnce)
        yield await read(kind, arranged.slice(start, start + headsAtOnce))
    },
  }
}

/**
 * What was public at a moment. Only the newest publication in a locale is stored: where one is newer, that
 * of the moment stands for the one before.
 */
function publicationsThen(
  publications: Publications | undefined,
  { version, publishedVersion, publishedDate }: EntityMoment,
): Pick<Entity, 'publications'> {
  if (!publications) return {}
  if (publishedVersion === null) return { publications: undefined }
  const then = Object.entries(publications).map(([code, publication]) => {
    const isLater = publication.version > version || publication.date > (publishedDate ?? 0)
    return [code, isLater ? { version: publishedVersion, date: publishedDate ?? 0 } : publication]
  })
  return { publications: Object.fromEntries(then) }
}

/** The heads with these ids. */
async function* headsAmong(
  { store }: Call,
  branch: Branch,
  { kind, ids }: { kind: EntityKind; ids: readonly string[] },
): AsyncGenerator<readonly OwnHead[]> {
  for (let start = 0; start < ids.length; start += headsAtOnce)
    yield await store.entities.getMany(branch, kind, ids.slice(start, start + headsAtOnce))
}
