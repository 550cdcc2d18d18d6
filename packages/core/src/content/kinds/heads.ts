import type { Call } from '../../engine/call.ts'
import type {
  Entity,
  EntityKind,
  EntityReader,
  EntityRef,
  EntityVersion,
  Branch,
  OwnHead,
  Publications,
  Snapshot,
} from '../../ports/index.ts'
import type { AppliedChange } from './branch-kind.ts'
import { baseOf, type Scope } from '../../engine/scope.ts'

/**
 * The head from which a write on the branch starts. If a package has not changed the entity yet,
 * that is main's newest version, and the package continues its numbering. A change of state alone
 * makes no version, so a version with main's number has main's content.
 */
export function headOnBranch(head: Entity, { branch }: Scope): Entity {
  if (head.packageId === branch.packageId) return head
  const { publications } = head
  return {
    ...head,
    ...(publications && { publications: inheritedPublications(publications) }),
    packageId: branch.packageId,
    base: baseOf(head),
    revision: 0,
    inheritsPublished: head.publishedVersion !== null,
  }
}

/** What main publishes in each locale, as a package has it. */
export function inheritedPublications(publications: Publications): Publications {
  const marked = Object.entries(publications).map(([code, { version, date }]) => [
    code,
    { version, date, inherited: true as const },
  ])
  return Object.fromEntries(marked)
}

/**
 * The head from which applying a change of another branch starts. For a new entity it has version
 * 0.
 */
export function startOf(
  scope: Scope,
  { previous, origin }: Pick<AppliedChange, 'previous' | 'origin'>,
): Entity {
  if (previous) return headOnBranch(previous, scope)
  return { ...origin, ...scope.branch, base: null, inheritsPublished: false, version: 0, revision: 0 }
}

// Heads read at a time. To read them as a whole then takes about 2 ms.
const headsAtOnce = 100

/** The heads of one kind that exactly this branch holds, by id, page by page. */
export async function* ownHeadsOf(
  entities: EntityReader,
  branch: Branch,
  kind: EntityKind,
): AsyncGenerator<readonly OwnHead[]> {
  for (let after: EntityRef | undefined = { kind, id: '' }; after;) {
    const page: readonly OwnHead[] = await entities.ownHeads(branch, { after, limit: headsAtOnce })
    const own = page.filter((head) => head.kind === kind)
    if (own.length > 0) yield own
    after = own.length < headsAtOnce ? undefined : own.at(-1)
  }
}

/** The same with their content, one by one. About a hundred are in memory at a time. */
export async function* wholeOwnHeadsOf(
  entities: EntityReader,
  branch: Branch,
  kind: EntityKind,
): AsyncGenerator<Entity> {
  for await (const page of ownHeadsOf(entities, branch, kind)) {
    const ids = page.map(({ id }) => id)
    yield* await entities.getMany(branch, kind, ids)
  }
}

/** The head from which the first save of a new entity starts, with version 0. */
export function newHead(
  call: Call,
  { branch }: Scope,
  { kind, id }: EntityRef,
): Omit<Entity, keyof Snapshot> {
  return {
    ...branch,
    kind,
    id,
    version: 0,
    revision: 0,
    base: null,
    publishedVersion: null,
    inheritsPublished: false,
    publishedDate: null,
    archived: false,
    deletedDate: null,
    createdDate: call.now,
    createdBy: call.identity.ref,
    updatedDate: call.now,
    updatedBy: call.identity.ref,
    json: '',
  }
}

/**
 * The date of the next version: now, but never before the date of the head, even if the clock was
 * set back.
 */
export function dateAfter({ now }: Pick<Call, 'now'>, { updatedDate }: Pick<Entity, 'updatedDate'>): number {
  return Math.max(now, updatedDate)
}

/** The head as a version. */
export function headVersion(head: Entity): EntityVersion {
  const { kind, id, version, type, name, slug, parentId, roles, body, updatedDate, updatedBy } = head
  return {
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
}

// The store reads at most 1 000 ids at once.
const batch = 1000

/** Reads heads of one kind by id, in batches. Leaves out those that are absent or deleted. */
export async function liveHeads(
  entities: EntityReader,
  branch: Branch,
  { kind, ids }: Pick<EntityRef, 'kind'> & { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, Entity>> {
  const unique = [...new Set(ids)]
  const found = new Map<string, Entity>()
  for (let start = 0; start < unique.length; start += batch)
    for (const head of await entities.getMany(branch, kind, unique.slice(start, start + batch)))
      if (head.deletedDate === null) found.set(head.id, head)
  return found
}
