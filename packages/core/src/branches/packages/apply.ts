import type { ChangeKind, JournalEvent, Locales, MergeReport } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { baseOf, mainOf, type Scope } from '../../engine/scope.ts'
import { isLive, isSameSide, type Side } from '../../content/merge/entity.ts'
import { publicationsIn, publicVersions, publishedAs } from '../../content/items/publications.ts'
import { isSame } from '../../engine/same.ts'
import type { MergedChange } from './record.ts'
import { changedEntity, changeKind, type PlannedChange } from './change.ts'
import { refKey } from './sides.ts'
import { branchKinds } from './kinds.ts'
import type { AppliedChange, BranchKind, TypeUse } from '../../content/kinds/branch-kind.ts'
import type { Entity, LocalePublication, EntityKind, JsonObject, Publications } from '../../ports/index.ts'

/** What a merge wrote to main. */
interface AppliedChanges {
  readonly report: MergeReport['changes']
  readonly merged: readonly MergedChange[]
  /** Heads on main whose newest version was published by the merge. */
  readonly published: readonly Entity[]
}

/** Writes effective changes to main, each as one new head. */
export async function applyToMain(
  call: WriteCall,
  { scope, changes }: { scope: Scope; changes: readonly PlannedChange[] },
): Promise<AppliedChanges> {
  const main = mainOf(scope)
  const ordered = inWritingOrder(changes)
  const reserved = await reserveClaims(call, ordered.map(moveOnMain))
  const yieldToLoop = yieldingToLoop()
  const report: MergeReport['changes'] = []
  const merged: MergedChange[] = []
  const published: Entity[] = []
  for (const change of ordered) {
    const previous = reserved.get(refKey(change.head)) ?? change.mainHead
    const kind = changeKind(change.theirs, change.merged)
    const head = await applyOnMain(call, { main, scope, change, kind, previous })
    if (change.merged?.published === 'head') published.push(head)
    report.push(reportEntry(kind, head))
    merged.push({
      kind: head.kind,
      id: head.id,
      before: change.mainHead && baseOf(change.mainHead),
      after: baseOf(head),
      ...publicVersions(change.mainHead, head, main.repository.settings.locales),
    })
    await yieldToLoop()
  }
  return { report, merged, published }
}

/**
 * Keeps the archived and published state of an entity that the merge deletes, so that it can be
 * restored as it was.
 */
export function withoutStateOfDeleted(change: PlannedChange): PlannedChange {
  const { merged, theirs } = change
  if (!merged?.deleted || !theirs) return change
  const { publishedIn: _, ...deleted } = merged
  return { ...change, merged: { ...deleted, archived: theirs.archived, published: theirs.published } }
}

/** What a merge makes of an entity on main. */
export function moveOnMain({ rules, head, mainHead, merged }: PlannedChange): Move {
  const current = mainHead && mainHead.deletedDate === null ? mainHead : null
  return { rules, current, next: isLive(merged) ? merged.content : null, of: head }
}

/** Writes the kinds that others refer to first, and deletes in reverse order at the end. */
export function inWritingOrder<C extends PlannedChange>(changes: readonly C[]): C[] {
  const order: readonly EntityKind[] = branchKinds.map(({ kind }) => kind)
  const rank = ({ head, merged }: C) =>
    isLive(merged) ? order.indexOf(head.kind) : 2 * order.length - order.indexOf(head.kind)
  return changes.toSorted((a, b) => rank(a) - rank(b))
}

/** Whether a change writes anything to main. */
export function isEffective({ merged, theirs, mainHead }: PlannedChange): boolean {
  if (!merged) return false
  if (!theirs) return !merged.deleted
  const published = merged.published === 'head' ? (mainHead?.version ?? null) : merged.published
  return !isSameSide({ ...merged, published }, theirs)
}

/** A change to be written to main. */
export interface MainApplication extends Pick<AppliedChange, 'isVersion'> {
  readonly main: Scope
  readonly scope: Scope
  readonly change: PlannedChange
  readonly kind: ChangeKind
  readonly previous: Entity | null
  /** When what it publishes was published, Unix ms. Default: now. */
  readonly publishedDate?: number | null
  /** What is public where, whatever the change publishes, if the head has this version. */
  readonly publications?: (version: number) => Publications
}

/** Writes one change to main as a new head. */
export function applyOnMain(call: WriteCall, application: MainApplication): Promise<Entity> {
  const { main, scope, change, kind, previous, isVersion = false } = application
  const { publishedDate = call.now, publications } = application
  const { merged, theirs, head, rules } = change
  if (!merged) throw new TypeError(`The change to ${head.id} has no merge result.`)
  const isContentChanged = !theirs || !isSame(merged.content, theirs.content)
  // `reserveClaims` removed the index entries of such a head, so its content must be written again.
  const isWritten = !merged.deleted && (isContentChanged || previous !== change.mainHead)
  return rules.apply(call, {
    scope: main,
    previous,
    origin: head,
    content: isWritten ? merged.content : null,
    isVersion,
    state: (version) => ({
      ...stateOf(call, { merged, previous, version, publishedDate, origin: head, main }),
      ...(publications && publishedAs(publications(version))),
      // Restores a slug that `reserveClaims` removed.
      ...(merged.deleted && change.mainHead && { slug: change.mainHead.slug }),
    }),
    events: eventsOf(change, { kind, isContentChanged }),
    details: { packageId: scope.branch.packageId, packageName: scope.package?.name ?? null },
  })
}

interface NewState {
  readonly merged: Side
  readonly previous: Entity | null
  /** The head that the change comes from. */
  readonly origin: Entity
  readonly main: Scope
  readonly version: number
  readonly publishedDate: number | null
}

function stateOf(call: Call, state: NewState): Partial<Entity> {
  const { archived, deleted } = state.merged
  const deletedDate = deleted ? call.now : null
  return { archived, deletedDate, inheritsPublished: false, ...publicationOf(call, state) }
}

function publicationOf(call: Call, state: NewState): Partial<Entity> {
  const { merged, previous, origin, version, publishedDate: date } = state
  const { locales } = state.main.repository.settings
  if (merged.publishedIn) return inNamedLocales(call, state, locales)
  const publishedVersion = merged.published === 'head' ? version : merged.published
  if (publishedVersion === null) return { publishedVersion, publishedDate: null }
  if (publishedVersion === previous?.publishedVersion)
    return { publishedVersion, publishedDate: previous.publishedDate }
  const publication = { version: publishedVersion, date: date ?? call.now }
  return { publishedVersion, publishedDate: date, ...inSameLocales({ previous, origin }, publication) }
}

/**
 * Publishes in the locales that the package names, and leaves what is public in others. Changes nothing if
 * the repository has none of them any more.
 */
function inNamedLocales(
  call: Call,
  { merged: { publishedIn = [] }, previous, version, publishedDate }: NewState,
  locales: Locales | undefined,
): Partial<Entity> {
  const publication = { version, date: publishedDate ?? call.now }
  const codes = (locales?.list ?? []).map(({ code }) => code).filter((code) => publishedIn.includes(code))
  if (!locales || codes.length === 0) {
    const { publishedVersion = null, publishedDate: date = null } = previous ?? {}
    return { publishedVersion, publishedDate: date }
  }
  const before = previous ? publicationsIn(previous, locales) : {}
  const own = codes.map((code) => [code, publication] as const)
  return publishedAs({ ...before, ...Object.fromEntries(own) })
}

/**
 * Publishes in the locales in which something was public, here or where the change comes from, so
 * that a merge makes no locale public by itself. If nothing was: in all.
 */
function inSameLocales(
  { previous, origin }: Pick<NewState, 'previous' | 'origin'>,
  publication: LocalePublication,
): Pick<Entity, 'publications'> {
  const { publications = {} } = previous && previous.publishedVersion !== null ? previous : origin
  const known = Object.entries(publications)
  const codes = known.filter(([, { inherited }]) => !inherited).map(([code]) => code)
  if (codes.length === 0) return {}
  return { publications: Object.fromEntries(codes.map((code) => [code, publication])) }
}

function eventsOf(
  change: PlannedChange,
  { kind, isContentChanged }: { kind: ChangeKind; isContentChanged: boolean },
): JournalEvent[] {
  const { events } = change.rules
  if (kind === 'delete') return [events.deleted]
  const saved = {
    create: [events.created],
    restore: [events.restored],
    update: isContentChanged ? [events.updated] : [],
    none: [],
  }
  return [...saved[kind], ...archivingEvents(change), ...publishingEvents(change)]
}

function archivingEvents({ rules: { states }, merged, theirs }: PlannedChange): JournalEvent[] {
  const [was, is] = [theirs?.archived ?? false, merged?.archived ?? false]
  if (was === is || !states) return []
  return [is ? states.events.archived : states.events.unarchived]
}

function publishingEvents({ rules: { states }, merged, theirs }: PlannedChange): JournalEvent[] {
  const [was, is] = [theirs?.published ?? null, merged?.published ?? null]
  if (is === was || !states) return []
  return [is === null ? states.events.unpublished : states.events.published]
}

function reportEntry(kind: ChangeKind, head: Entity): MergeReport['changes'][number] {
  const isLive = head.deletedDate === null
  return {
    entity: changedEntity(head),
    kind,
    version: isLive ? head.version : null,
    published: isLive && head.publishedVersion === head.version,
  }
}

/** A head that is about to change from one content to another. */
export interface Move {
  readonly rules: BranchKind
  /** The live head on the branch to write to; null when there is none. */
  readonly current: Entity | null
  /** Its next content; null when it is deleted. */
  readonly next: JsonObject | null
  readonly of: TypeUse
}

/**
 * Releases slugs and unique values that one move gives up and another takes. The moves can then be
 * written one by one, even when they swap values in a cycle. Creates no versions: each released
 * head is written again by its own move. Returns the released heads by `refKey`.
 */
export async function reserveClaims(
  call: WriteCall,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, Entity>> {
  const reserved = new Map<string, Entity>()
  const leaving = new Map<string, Entity>()
  const claimed = new Set<string>()
  for (const move of moves) {
    const [before, after] = await claimsOf(call, move)
    for (const claim of before) if (move.current && !after.has(claim)) leaving.set(claim, move.current)
    for (const claim of after) if (!before.has(claim)) claimed.add(claim)
  }
  for (const [claim, holder] of leaving) {
    if (!claimed.has(claim) || reserved.has(refKey(holder))) continue
    const released: Entity = { ...holder, slug: null, revision: holder.revision + 1 }
    await call.store.entities.put(
      { ...released, writtenDate: call.now, values: [], edges: [], search: null },
      holder.revision,
    )
    reserved.set(refKey(holder), released)
  }
  return reserved
}

async function claimsOf(
  call: Call,
  { rules, current, next, of }: Move,
): Promise<readonly [before: ReadonlySet<string>, after: ReadonlySet<string>]> {
  const claims = async (content: JsonObject | null) =>
    new Set((content ? await rules.claims(call, of, content) : []).map((claim) => `${rules.kind} ${claim}`))
  return [await claims(current && rules.content(current)), await claims(next)]
}
