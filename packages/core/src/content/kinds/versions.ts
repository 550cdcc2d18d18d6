import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { Entity, EntityMoment, EntityReader, EntityVersion, Branch } from '../../ports/index.ts'

/** A version as the branch of a head shows it. */
export interface VisibleVersion extends EntityVersion {
  /** The branch that it was written on; null: main. */
  readonly packageId: string | null
}

/**
 * A version that the branch of a head shows; null when there is none. What a package took in goes on from main's numbers: below the first
 * version of its own, which is never forgotten, they are main's.
 */
export async function versionOf(
  entities: EntityReader,
  head: Entity,
  version: number,
): Promise<VisibleVersion | null> {
  const own = await entities.version(head, head, version)
  if (own) return { ...own, packageId: head.packageId }
  return (await isOfMain(entities, head, version)) ? versionOfMain(entities, head, version) : null
}

/** Whether a number stands for main's version on the branch of a head that a package took in. */
export async function isOfMain(entities: EntityReader, head: Entity, version: number): Promise<boolean> {
  if (!isAccepted(head)) return false
  const own = await entities.versions(head, head, { before: version + 1, limit: 1 })
  return own.length === 0
}

/** A version of main; null when main does not keep it. */
export async function versionOfMain(
  entities: EntityReader,
  head: Entity,
  version: number,
): Promise<VisibleVersion | null> {
  const found = await entities.version(mainOf(head), head, version)
  return found && { ...found, packageId: null }
}

/** The marks at a time (Unix ms) of what the branch of a head shows; null when it was not there. Until a package took it in that was main. */
export async function momentVisible(
  entities: EntityReader,
  head: Entity,
  time: number,
): Promise<EntityMoment | null> {
  const own = await entities.moment(head, head, time)
  return own || !isAccepted(head) ? own : entities.moment(mainOf(head), head, time)
}

/** The versions that the branch of a head shows, newest first: those below `before` when given. */
export async function* visibleVersions(
  entities: EntityReader,
  head: Entity,
  before: number = Infinity,
): AsyncGenerator<VisibleVersion> {
  let below = before
  for await (const version of versionsOn(entities, head, { head, before })) {
    yield { ...version, packageId: head.packageId }
    below = version.version
  }
  if (!isAccepted(head)) return
  for await (const version of versionsOn(entities, mainOf(head), { head, before: below }))
    yield { ...version, packageId: null }
}

async function* versionsOn(
  entities: EntityReader,
  branch: Branch,
  { head, before }: { head: Entity; before: number },
): AsyncGenerator<EntityVersion> {
  const yieldToLoop = yieldingToLoop()
  for (let below = before; ;) {
    const scope = below !== Infinity && { before: below }
    const page = await entities.versions(branch, head, { limit: atOnce, ...scope })
    yield* page
    below = page.at(-1)?.version ?? 0
    if (page.length < atOnce) return
    await yieldToLoop()
  }
}

/** Versions that are read before others have their turn: each comes with all that it says, up to 5 MB. A hundred of those took seconds. */
const atOnce = 8

/** Whether a package took it in from main. */
export function isAccepted({ packageId, base }: Entity): boolean {
  return packageId !== null && base !== null
}

function mainOf({ repositoryId }: Branch): Branch {
  return { repositoryId, packageId: null }
}
