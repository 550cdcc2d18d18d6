import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { Entity, EntityMoment, EntityReader, EntityVersion, Branch } from '../../ports/index.ts'

/** A version that is visible on the branch of a head. */
export interface VisibleVersion extends EntityVersion {
  /** The package on whose branch it was written; null for main. */
  readonly packageId: string | null
}

/**
 * Finds a version that is visible on the branch of a head; null if there is none. A package
 * continues main's numbering, so numbers below the package's own first version are main's. That
 * first version is never deleted.
 */
export async function versionOf(
  entities: EntityReader,
  head: Entity,
  version: number,
): Promise<VisibleVersion | null> {
  const own = await entities.version(head, head, version)
  if (own) return { ...own, packageId: head.packageId }
  return (await isMainVersion(entities, head, version)) ? mainVersion(entities, head, version) : null
}

/** Whether a version number on the branch of a head means main's version. */
export async function isMainVersion(entities: EntityReader, head: Entity, version: number): Promise<boolean> {
  if (!isBasedOnMain(head)) return false
  const own = await entities.versions(head, head, { before: version + 1, limit: 1 })
  return own.length === 0
}

/** Finds a version on main; null if main no longer has it. */
export async function mainVersion(
  entities: EntityReader,
  head: Entity,
  version: number,
): Promise<VisibleVersion | null> {
  const found = await entities.version(mainOf(head), head, version)
  return found && { ...found, packageId: null }
}

/**
 * The state at a time (Unix ms) of the entity on the branch of a head; null if it did not exist
 * then. Before a package first changed an entity, the package showed main's state.
 */
export async function momentVisible(
  entities: EntityReader,
  head: Entity,
  time: number,
): Promise<EntityMoment | null> {
  const own = await entities.moment(head, head, time)
  return own || !isBasedOnMain(head) ? own : entities.moment(mainOf(head), head, time)
}

/**
 * The versions that are visible on the branch of a head, newest first: those with a number below
 * `before`.
 */
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
  if (!isBasedOnMain(head)) return
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
    const range = below !== Infinity && { before: below }
    const page = await entities.versions(branch, head, { limit: pageSize, ...range })
    yield* page
    below = page.at(-1)?.version ?? 0
    if (page.length < pageSize) return
    await yieldToLoop()
  }
}

/**
 * Versions to read before yielding to the event loop. A version can have 5 MB; reading a hundred of
 * those took seconds.
 */
const pageSize = 8

/**
 * Whether a head in a package started from main's version, instead of being created in the package.
 */
export function isBasedOnMain({ packageId, base }: Entity): boolean {
  return packageId !== null && base !== null
}

function mainOf({ repositoryId }: Branch): Branch {
  return { repositoryId, packageId: null }
}
