import type { WriteCall } from '../../engine/call.ts'
import { isSame } from '../../engine/same.ts'
import { baseOf, mainOf, type Scope } from '../../engine/scope.ts'
import type { Side } from '../../content/merge/entity.ts'
import { namedInPackage, publishedAs } from '../../content/items/publications.ts'
import { inheritedPublications } from '../../content/kinds/heads.ts'
import type { Entity, JsonObject, Publications } from '../../ports/index.ts'
import { applyOnMain, inWritingOrder, moveOnMain, reserveClaims } from '../packages/apply.ts'
import { changeKind, type PlannedChange } from '../packages/change.ts'
import { refKey } from '../packages/sides.ts'
import type { IncomingChange } from './plan-page.ts'
import { publicationsWith, publicAt } from './publication.ts'

/** Writes the changes of a page, each as one new head. */
export async function applyPage(
  call: WriteCall,
  scope: Scope,
  changes: readonly IncomingChange[],
): Promise<void> {
  // Before the items that are searched by them.
  for (const { incoming } of changes)
    for (const [hash, text] of incoming.texts) await call.store.texts.put(hash, text)
  if (scope.package) for (const change of changes) await applyInPackage(call, scope, change)
  else await applyToMain(call, scope, changes)
}

async function applyToMain(call: WriteCall, scope: Scope, changes: readonly IncomingChange[]): Promise<void> {
  const ordered = inWritingOrder(changes)
  const reserved = await reserveClaims(call, ordered.map(moveOnMain))
  for (const change of ordered) {
    const previous = reserved.get(refKey(change.head)) ?? change.mainHead
    if (change.mainHead === null) await create(call, scope, change)
    else await write(call, scope, { change, previous })
  }
}

/** Deletes from main what a file does not have. */
export async function applyDeletes(
  call: WriteCall,
  scope: Scope,
  changes: readonly PlannedChange[],
): Promise<void> {
  for (const change of inWritingOrder(changes))
    await write(call, scope, { change, previous: change.mainHead })
}

interface ToWrite {
  readonly change: PlannedChange
  readonly previous: Entity | null
  readonly publishedDate?: number | null
  readonly isVersion?: boolean
  readonly publications?: (version: number) => Publications
}

function write(call: WriteCall, scope: Scope, { change, ...how }: ToWrite): Promise<Entity> {
  const kind = changeKind(change.theirs, change.merged)
  return applyOnMain(call, { main: mainOf(scope), scope, change, kind, ...how })
}

/**
 * Creates an entity with the dates and people that the file tells; the journal says when it came and
 * who brought it. If an older content is published that is no earlier version, it becomes one.
 */
async function create(call: WriteCall, scope: Scope, change: IncomingChange): Promise<void> {
  const past = await writePast(call, scope, change)
  const { merged, incoming, head } = change
  const { last } = past
  const version = publishedNumber(change, past)
  if (merged && incoming.published !== null && version === null)
    return createWithOlder(call, scope, { change, past, merged, older: incoming.published })
  const inLocales = publicationsWith(head, past.publishedBefore)
  const publications = inLocales && ((own: number) => inLocales(past.published ?? own))
  const same = merged && version !== null ? { ...change, merged: { ...merged, published: version } } : change
  await write(asExported(call, head), scope, {
    change: same,
    previous: last,
    publishedDate: past.publishedDate ?? head.publishedDate,
    isVersion: last !== null,
    ...(publications && { publications }),
  })
}

/** The number of the earlier version that is published: of what is not itself, the newest that is anywhere. */
function publishedNumber(
  { merged, incoming }: IncomingChange,
  { published, newestPublic }: WrittenPast,
): number | null {
  const isHidden = merged?.published === null && incoming.published === null
  return published ?? (isHidden ? newestPublic : null)
}

interface WithOlder {
  readonly change: IncomingChange
  readonly past: WrittenPast
  readonly merged: Side
  /** The content that is published. */
  readonly older: JsonObject
}

/** Creates an entity of which an older content is published, as a version before that of the head. */
async function createWithOlder(
  call: WriteCall,
  scope: Scope,
  { change, past: { last, publishedBefore }, merged, older }: WithOlder,
): Promise<void> {
  const { head } = change
  const { publishedDate, createdDate } = head
  const inLocales = publicationsWith(head, publishedBefore)
  const updatedDate = Math.min(publishedDate ?? createdDate, head.updatedDate)
  const first = { ...change, merged: { ...merged, content: older, published: 'head' as const } }
  const published = await write(asExported(call, { ...head, updatedDate }), scope, {
    change: first,
    previous: last,
    publishedDate,
    isVersion: last !== null,
    ...(inLocales && { publications: inLocales }),
  })
  const { version } = published
  const theirs = { ...first.merged, published: version }
  await write(asExported(call, head), scope, {
    change: { ...change, mainHead: published, theirs, merged: { ...merged, published: version } },
    previous: published,
    ...(inLocales && { publications: () => inLocales(version) }),
  })
}

interface WrittenPast {
  readonly last: Entity | null
  /** The number of the newest version that is published everywhere or in the locales of the head; null: none. */
  readonly published: number | null
  /** When it was published, if the file says so of the version, Unix ms. */
  readonly publishedDate?: number
  /** What is public in other locales. */
  readonly publishedBefore: Publications
  readonly newestPublic: number | null
}

/**
 * Writes the earlier versions of an entity under a deleted head, which the entity then replaces:
 * others may have their slugs and unique values today. Hooks check what is saved, not what was.
 */
async function writePast(
  { environment: { hooks: _hooks, ...environment }, ...call }: WriteCall,
  scope: Scope,
  { rules, head, incoming }: IncomingChange,
): Promise<WrittenPast> {
  let last: Entity | null = null
  let published: Pick<WrittenPast, 'published' | 'publishedDate'> = { published: null }
  let publishedBefore: Publications = {}
  let newestPublic: number | null = null
  for (const { content, savedDate, savedBy, ...publication } of incoming.past) {
    const saved = { updatedDate: savedDate, updatedBy: savedBy }
    const { publications, publishedDate } = publication
    const publicWith = publicAt(publishedBefore, publications ?? {})
    last = await rules.apply(asExported({ ...call, environment }, saved), {
      scope,
      previous: last,
      origin: { ...head, ...saved },
      content,
      isVersion: true,
      // A type with a limit of versions retains those that are public.
      state: (number) => ({
        deletedDate: savedDate,
        ...(publications && publishedAs(publicWith(number))),
        ...(publishedDate !== undefined && { publishedVersion: number, publishedDate }),
      }),
      events: [],
      details: {},
    })
    const { version } = last
    publishedBefore = publicWith(version)
    if (publications) newestPublic = version
    // What is public elsewhere is a version of its own, whatever its content.
    const isPublished = !publications && incoming.published && isSame(content, incoming.published)
    if (isPublished) published = { published: version }
    if (publishedDate !== undefined) published = { published: version, publishedDate }
  }
  return { last, ...published, publishedBefore, newestPublic }
}

/** A call that writes with the date and the author of a head. */
function asExported(
  call: WriteCall,
  { updatedDate, updatedBy }: Pick<Entity, 'updatedDate' | 'updatedBy'>,
): WriteCall {
  const { now, identity } = call
  return {
    ...call,
    now: updatedDate,
    identity: { ...identity, ref: updatedBy },
    record: (entry, written) => call.record({ ...entry, date: now, user: identity.ref }, written),
  }
}

/**
 * Writes a change into a package. What merges is written as merged, based on main as it is now: the
 * file's own content may claim a slug or a value that main has given to another since. A conflict is
 * written as the file has it, so that a person resolves it.
 */
async function applyInPackage(call: WriteCall, scope: Scope, change: IncomingChange): Promise<void> {
  const { rules, head, mainHead, ours, merged, conflicts } = change
  const side = merged && conflicts.length === 0 ? merged : ours
  const { created, updated, deleted } = rules.events
  const events = side.deleted ? [deleted] : [mainHead ? updated : created]
  const named = (version: number) => {
    const publication = { version, date: head.publishedDate ?? call.now }
    const inLocales = { main: mainHead, codes: side.publishedIn, publication }
    return namedInPackage(inLocales, scope.repository.settings.locales)
  }
  await rules.apply(call, {
    scope,
    previous: side === ours ? startOfConflict(scope, change) : mainHead,
    origin: head,
    content: side.content,
    state: (version) => ({
      archived: side.archived,
      deletedDate: side.deleted ? call.now : null,
      publishedVersion: side.published === 'head' ? version : side.published,
      inheritsPublished: typeof side.published === 'number',
      publishedDate: side.published === null ? null : (head.publishedDate ?? call.now),
      ...named(version),
    }),
    events,
    details: {},
  })
}

/**
 * The head in a package before a change that conflicts, as if the package had been made when main had
 * the version that the file's side started from. Without such a version its base is lost, which is a
 * conflict, too.
 */
function startOfConflict({ branch }: Scope, { mainHead, ancestor, base }: IncomingChange): Entity | null {
  if (!mainHead) return null
  const version = ancestor?.version ?? mainHead.version
  const publishedVersion = typeof base?.published === 'number' ? base.published : null
  const state = { version, publishedVersion, archived: base?.archived ?? false, deletedDate: null }
  const { kind, id, publications } = mainHead
  return {
    ...mainHead,
    ...(publications && { publications: inheritedPublications(publications) }),
    ...ancestor,
    ...branch,
    ...state,
    kind,
    id,
    // No version has the number 0, so such a base is lost.
    base: baseOf({ ...mainHead, ...state, ...(ancestor === null && { version: 0 }) }),
    revision: 0,
    inheritsPublished: publishedVersion !== null,
  }
}
