import type { JournalEvent } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { entityEvent } from '../../engine/journal.ts'
import { requireChecked } from '../../engine/hooks/check.ts'
import { isSame } from '../../engine/same.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, EntityRef, EntityWrite, JsonObject, Snapshot } from '../../ports/index.ts'
import type { AppliedChange } from './branch-kind.ts'
import { dateAfter, headOnBranch, newHead } from './heads.ts'

/** The head after a save: the version after `previous`, or the first if there was none. */
export function nextHead(
  call: Call,
  scope: Scope,
  { kind, id, previous, snapshot }: EntityRef & { previous: Entity | null; snapshot: Snapshot },
): Entity {
  const start = previous ? headOnBranch(previous, scope) : newHead(call, scope, { kind, id })
  const { version, revision } = start
  return { ...start, ...saved(call, start, snapshot), version: version + 1, revision: revision + 1 }
}

/** What saving a snapshot changes in a head, besides its numbers. */
function saved(call: Call, start: Pick<Entity, 'updatedDate'>, snapshot: Snapshot) {
  return { ...snapshot, updatedDate: dateAfter(call, start), updatedBy: call.identity.ref }
}

/**
 * The head that has another state: published, archived or deleted. It has no new version. If a
 * package has not changed the entity yet, it is main's version with the new state.
 */
export function headWithState(previous: Entity, scope: Scope, state: Partial<Entity>): Entity {
  const start = headOnBranch(previous, scope)
  return withPublications(start, {
    ...start,
    ...ownPublication(start),
    ...state,
    revision: start.revision + 1,
  })
}

/**
 * The head without its publications in locales if another version was published than those name:
 * then it is public in all locales.
 */
function withPublications(before: Entity, head: Entity): Entity {
  const isStale =
    head.publishedVersion !== before.publishedVersion && head.publications === before.publications
  return isStale && head.publications ? { ...head, publications: undefined } : head
}

/** The content of a change, as its kind reads it. */
interface AppliedContent {
  /** The content of the head from which applying starts. */
  readonly before: JsonObject
  readonly after: JsonObject
  /** Makes the snapshot of `after`. */
  snapshot(): Snapshot | Promise<Snapshot>
}

/**
 * The head that applies a change of another branch to `start` (see `startOf`). It has a new version
 * only if the content differs. Without a content only the state changes. What a body has besides the
 * content is that of the change in any case.
 */
export async function appliedHead(
  call: Call,
  {
    start,
    state,
    isVersion = false,
  }: Pick<AppliedChange, 'state' | 'isVersion'> & { readonly start: Entity },
  content: AppliedContent | null,
): Promise<Entity> {
  const isChanged = content !== null && (isVersion || !isSame(content.after, content.before))
  const isNew = start.version === 0 || isChanged
  const version = start.version + Number(isNew)
  const snapshot = await content?.snapshot()
  const applied = snapshot && (isNew ? saved(call, start, snapshot) : { body: snapshot.body })
  const head = {
    ...start,
    ...(applied ?? ownPublication(start)),
    version,
    revision: start.revision + 1,
    ...state(version),
  }
  return withPublications(start, head)
}

/**
 * If main's newest version is published and the package takes it over unchanged, the package's head
 * is the published version. Returns that member of the head, or none.
 */
function ownPublication({ version, revision, publishedVersion }: Entity): Partial<Entity> {
  return revision === 0 && publishedVersion === version ? { inheritsPublished: false } : {}
}

/** What is derived from a head: everything in a write but the head itself. */
export type DerivedRows = Omit<EntityWrite, keyof Entity | 'writtenDate'>

/** A head to write, with everything that its kind makes of it. */
export interface HeadWrite {
  /** The head without its JSON. Its revision follows the stored one. */
  readonly head: Entity
  /** The serialized head. */
  readonly json: string
  readonly rows: DerivedRows
  /** Updates what depends on the head, before the journal entries. */
  readonly follow: (head: Entity) => Promise<void>
  /** The status of an item, for the journal; null for other kinds. */
  readonly status: string | null
  readonly events: Iterable<JournalEvent>
  /** Further details for the journal. */
  readonly details: JsonObject
}

/**
 * Writes a head with its derived rows, and a journal entry for each event. Every save, change of
 * state and applied change ends here, whatever the kind. Returns the head with its JSON. Errors:
 * those of a hook `check`.
 */
export async function writeHead(call: WriteCall, write: HeadWrite): Promise<Entity> {
  const { json, rows, status, details } = write
  const head: Entity = { ...write.head, json }
  if (call.environment.hooks) await requireChecked(call, head)
  await call.store.entities.put({ ...head, ...rows, writtenDate: call.now }, head.revision - 1)
  await write.follow(head)
  for (const event of write.events)
    await call.record(entityEvent(call, event, { entity: head, status, details }), head)
  return head
}
