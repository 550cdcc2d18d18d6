import { QuireError, type ContentType, type JournalEvent, limits } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { entityEvent } from '../../engine/journal.ts'
import { dateAfter, headOnBranch, headVersion, newHead } from '../kinds/heads.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import { edgesOf, indexedValues } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { requireDirectSave, requireSoundContent, requireClosing, requireOwnLists } from './check.ts'
import { renderCard, documentOf } from './document.ts'
import { blobsOf, broughtBytes } from './asset.ts'
import { contentOf, snapshotOf, type ItemContent } from './content.ts'
import { followPublished } from './published-branch.ts'
import { stateOf, serializeItem, contextOf, withVersion, type ItemContext } from './item-json.ts'
import {
  categoriesPath,
  type Entity,
  type EntityWrite,
  type JsonObject,
  type Snapshot,
  type Transaction,
} from '../../ports/index.ts'

/** A save to be made. */
export interface Save {
  readonly scope: Scope
  readonly type: ContentType
  /** The head that the content follows; null for a new item. */
  readonly previous: Entity | null
  readonly content: ItemContent
  /** What the content was taken from, where that is not the head: another version, another item. */
  readonly origin?: Snapshot
  readonly event: JournalEvent
  /** Whether it follows from a deletion, and is not refused for a quota. Default: no. */
  readonly givesBack?: boolean
}

/**
 * Saves what somebody sent: the next version of an item, or its first. Errors: as `writeItem`; `auto_package_required` on main when a
 * rule wants the save in a package; `forbidden` for role lists that are not the caller's to set.
 */
export async function saveItem(call: WriteCall, save: Save): Promise<Entity> {
  await requireDirectSave(call.store, save)
  const { scope, previous, origin, content: after } = save
  // What a copy says of roles was said by others.
  const known = previous ?? origin
  const change = { repositoryId: scope.repository.id, before: known ? contentOf(known) : null, after }
  requireOwnLists(call, change)
  if (previous && scope.package === null) requireClosing(call, previous, change)
  return writeItem(call, save)
}

/**
 * Writes the next version of an item, or its first, with everything derived from it and its journal entry, in one transaction.
 * Errors: `invalid`, `value_taken`, `slug_taken`, `invalid_state` on the branch of a package that takes no changes.
 */
export async function writeItem(call: WriteCall, save: Save): Promise<Entity> {
  const { scope, type, previous, givesBack } = save
  requireOpen(scope.package)
  const id = previous?.id ?? call.environment.ids.next('CONT')
  const sound = await requireSoundContent(call.store, { ...save, branch: scope.branch, id })
  const snapshot = snapshotOf(sound, { type: type.name, cardPreview: await renderCard(type, sound) })
  const start = previous ? headOnBranch(previous, scope) : newHead(call, scope, { kind: 'item', id })
  const head: Entity = {
    ...start,
    ...snapshot,
    version: start.version + 1,
    revision: start.revision + 1,
    updatedDate: dateAfter(call, start),
    updatedBy: call.identity.ref,
  }
  const context = itemContext(call, save, head)
  const events = [save.event]
  return writeHead(call, {
    type,
    head,
    context,
    before: previous,
    events,
    ...(givesBack && { givesBack }),
  })
}

/**
 * Writes changed marks of a head (published, archived, deleted) with its journal entry. In a package that had left the item
 * alone, the marked head is main's version with that mark.
 */
export async function setItemState(
  call: WriteCall,
  {
    scope,
    previous,
    event,
    state,
  }: { scope: Scope; previous: Entity; event: JournalEvent; state: Partial<Entity> },
): Promise<Entity> {
  requireOpen(scope.package)
  const type = await typeOf(call, previous)
  const start = headOnBranch(previous, scope)
  const head: Entity = { ...start, ...sameState(start), ...state, revision: start.revision + 1 }
  const context = { ...contextOf(previous), packageName: scope.package?.name ?? null }
  return writeHead(call, { type, head, context, before: previous, events: [event] })
}

/** Writes what a changed type derives from a head, and nothing else: no version, no event. */
export async function rederiveItem(
  call: WriteCall,
  { head, type }: { head: Entity; type: ContentType },
): Promise<void> {
  const next = { ...withDerived(head, type), revision: head.revision + 1, writtenDate: call.now }
  await call.store.entities.put(next, head.revision)
  await followPublished(call.store, { head: next, type, derive: withDerived, isRederived: true })
}

/** Shows on the branch of what is published what a head of main has published. */
async function publishNow(store: Transaction, head: Entity, type: ContentType): Promise<void> {
  await followPublished(store, { head, type, derive: withDerived })
}

/** A head to be written. */
interface HeadWrite {
  readonly type: ContentType
  readonly head: Entity
  readonly context: ItemContext
  /** What was there until now, on this branch or on main; null: nothing. */
  readonly before: Entity | null
  readonly events: readonly JournalEvent[]
  /** What the journal keeps beside. */
  readonly details?: JsonObject
  /** As of a save. */
  readonly givesBack?: boolean
}

/** Writes a head with everything derived from it and a journal entry for each event; those of categories follow from what it had before. */
export async function writeHead(
  call: WriteCall,
  { type, head, context, before, events, details = {}, givesBack }: HeadWrite,
): Promise<Entity> {
  const old = await oldVersions(call.store, head, type)
  const stored = { ...context, versionHistory: storedHistory(context, { head, before, type, old }) }
  const item = serializeItem(head, headVersion(head), { state: stateOf(head), context: stored })
  const serialized: Entity = { ...head, json: JSON.stringify(item) }
  const fileBytes = broughtBytes(contentOf(head).asset, before && contentOf(before).asset)
  const charge = { fileBytes, ...(givesBack && { givesBack }) }
  const write = { ...withDerived(serialized, type), ...charge, writtenDate: call.now }
  await call.store.entities.put(write, head.revision - 1)
  await publishNow(call.store, serialized, type)
  if (old) await call.store.entities.forgetVersions(head, head, old)
  for (const event of new Set([...events, ...categoryEvents(before, head)])) {
    const entry = entityEvent(call, event, { entity: serialized, status: item.status, details })
    await call.record(entry, serialized)
  }
  return serialized
}

/** Whichever way a category comes to an item or leaves it (specification 6.1). What goes takes its categories along. */
function categoryEvents(before: Entity | null, head: Entity): JournalEvent[] {
  if (head.deletedDate !== null) return []
  const was = before ? contentOf(before).categories : []
  const is = contentOf(head).categories
  return [
    ...(is.some((id) => !was.includes(id)) ? (['ITEM_CATEGORIZED'] as const) : []),
    ...(was.some((id) => !is.includes(id)) ? (['ITEM_DECATEGORIZED'] as const) : []),
  ]
}

interface OldVersions {
  readonly before: number
  readonly retain: number | null
}

/** As many versions are kept as the type says, and the published one. */
async function oldVersions(store: Transaction, head: Entity, type: ContentType): Promise<OldVersions | null> {
  const versionLimit = await versionLimitOf(store, head, type)
  if (versionLimit === null || head.version <= versionLimit) return null
  return { before: head.version - versionLimit + 1, retain: head.publishedVersion }
}

/** No number is told of what can no longer be asked for; in a package none of main's where main may forget it. */
function storedHistory(
  { versionHistory }: ItemContext,
  { head, before, type, old }: Pick<HeadWrite, 'head' | 'before' | 'type'> & { old: OldVersions | null },
): ItemContext['versionHistory'] {
  const isAccepted = before !== null && before.packageId !== head.packageId
  if (isAccepted && type.settings.versionLimit !== null)
    return versionHistory.filter(({ version }) => version === head.version)
  return old
    ? versionHistory.filter(({ version }) => version >= old.before || version === old.retain)
    : versionHistory
}

/** A head with the rows that are derived from it. A deleted item holds no edges: it keeps nothing else alive. */
function withDerived(head: Entity, type: ContentType): EntityWrite {
  const { categories, folderId, asset, fields } = contentOf(head)
  const structure = [
    ...categories.map((targetId) => ({ path: 'categories', targetId, onDelete: 'unset' as const })),
    ...(folderId === null ? [] : [{ path: 'parent', targetId: folderId, onDelete: 'restrict' as const }]),
  ]
  return {
    ...head,
    values: [
      ...indexedValues(type.fields, fields),
      ...categories.map((value) => ({ path: categoriesPath, value })),
    ],
    edges: [...edgesOf(type.fields, fields), ...structure],
    search: documentOf(head, type),
    blobs: blobsOf(asset),
  }
}

/** A head that is taken in as it is: what main has published is the head, where it is main's newest. */
export function sameState({ version, revision, publishedVersion }: Entity): Partial<Entity> {
  return revision === 0 && publishedVersion === -version ? { publishedVersion: version } : {}
}

function itemContext(call: Call, { scope, previous }: Save, head: Entity): ItemContext {
  const before = previous ? contextOf(previous).versionHistory : []
  return {
    packageName: scope.package?.name ?? null,
    versionHistory: withVersion(before, { version: head.version, date: call.now, user: call.identity.ref }),
  }
}

/** Errors: `invalid` when the repository does not take items of the type. */
export function requireAllowedType({ repository }: Scope, type: ContentType): void {
  const { allowedTypes } = repository.settings
  if (allowedTypes.length === 0 || allowedTypes.includes(type.name)) return
  throw invalid([
    { path: 'type', message: `the repository "${repository.name}" takes only ${allowedTypes.join(', ')}` },
  ])
}

/** Errors: `invalid_state`. */
export function requireState(holds: boolean, message: string): void {
  if (!holds) throw new QuireError('invalid_state', message)
}

/**
 * How many versions of an item are kept: as many as its type says. Where that says nothing, all; but of an item whose versions take more than 64 MiB the
 * newest 100, since who may write one item could fill the disk with copies of it. Null: all.
 */
async function versionLimitOf(
  store: Pick<Transaction, 'entities'>,
  head: Entity,
  { settings }: ContentType,
): Promise<number | null> {
  if (settings.versionLimit !== null) return settings.versionLimit
  if (!isCounted(head.version)) return null
  const { bytes } = await store.entities.versionTotals(head, head)
  return bytes > limits.versionsBytes ? limits.versionsKept : null
}

/** Counting takes time by the number of versions: among a thousand every save counts them, beyond every hundredth does. */
function isCounted(version: number): boolean {
  return version > limits.versionsKept && (version <= 1000 || version % 100 === 0)
}
