import { QuireError, type ContentType, type JournalEvent } from '@quire/contract'
import type { WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { headVersion } from '../kinds/heads.ts'
import { headWithState, nextHead, writeHead, type DerivedRows, type HeadWrite } from '../kinds/write.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import { edgesOf } from '../types/derived.ts'
import { changedLocales } from '../locales/changes.ts'
import { definitionOf } from '../locales/fields.ts'
import { indexedIn } from '../locales/comparable.ts'
import { indexedStates, stampsFor } from '../translations/stamps.ts'
import { typeOf } from '../types/find.ts'
import {
  requireDirectSave,
  requireValidContent,
  requireMayRemoveReaders,
  requireRoleListAccess,
} from './check.ts'
import { renderCard, documentOf } from './document.ts'
import { blobsOf, addedBytes } from './asset.ts'
import { requireChangeInLocales } from './locale-rights.ts'
import { comparedJson, contentOf, snapshotOf, type ItemContent } from './content.ts'
import { republishedLocales } from './publications.ts'
import { updatePublishedBranch } from './published-branch.ts'
import { retainedHistory, versionsToForget } from './retention.ts'
import { stateOf, serializeItem, contextOf, withVersion, type ItemContext } from './item-json.ts'
import {
  categoriesPath,
  type Entity,
  type EntityWrite,
  type JsonObject,
  type Snapshot,
} from '../../ports/index.ts'

// Which one to call: `saveItem` for content that a caller sent, `writeItem` for content that the engine
// decided about (a migration, an undeleted version), `setItemState` for a state without a version,
// `rederiveItem` for the rows alone. All but the last end in `writeItemHead`, which merges also call.

/** A save to make. */
export interface Save {
  readonly scope: Scope
  readonly type: ContentType
  /** The head that the content follows; null for a new item. */
  readonly previous: Entity | null
  readonly content: ItemContent
  /** The source of the content if that is not the head: another version or another item. */
  readonly origin?: Snapshot
  /** The stamps of translations that come with the content. Default: none. */
  readonly stamps?: readonly string[] | undefined
  readonly event: JournalEvent
  /** Whether the save is part of a deletion, so that no quota may reject it. Default: no. */
  readonly givesBack?: boolean
  /** Whether the type or the locales have changed, so that what is public has another form, too. Default: no. */
  readonly isMigrated?: boolean
}

/**
 * Saves content that a caller sent, as the next or the first version of an item.
 * Errors: as for `writeItem`; `auto_package_required` on main if a rule requires a package;
 * `forbidden` for role lists that the caller may not set, and outside the locales that they may change.
 */
export async function saveItem(call: WriteCall, save: Save): Promise<Entity> {
  requireChangeInLocales(call, save)
  await requireDirectSave(call.store, save)
  const { scope, previous, origin, content: after } = save
  // The role lists of a copy come from its original, so the caller does not change them.
  const known = previous ?? origin
  const change = { repositoryId: scope.repository.id, before: known ? contentOf(known) : null, after }
  requireRoleListAccess(call, change)
  if (previous && scope.package === null) requireMayRemoveReaders(call, previous, change)
  return writeItem(call, save)
}

/**
 * Writes the next or the first version of an item with everything derived from it and its journal
 * entry, in the caller's transaction.
 * Errors: `invalid`, `value_taken`, `slug_taken`; `invalid_state` on the branch of a package that
 * is closed to changes.
 */
export async function writeItem(call: WriteCall, save: Save): Promise<Entity> {
  const { scope, type, previous, givesBack, stamps, isMigrated } = save
  requireOpen(scope.package)
  const id = previous?.id ?? call.environment.ids.next('CONT')
  const content = await requireValidContent(call.store, { ...save, branch: scope.branch, id })
  const toStamp = { fields: content.fields, now: call.now, from: [previous, save.origin], stamps }
  const valid = { ...content, translations: stampsFor(type, toStamp) }
  const snapshot = snapshotOf(valid, { type, cardPreview: await renderCard(type, valid) })
  const head = nextHead(call, scope, { kind: 'item', id, previous, snapshot })
  const versionHistory = withVersion(previous ? contextOf(previous).versionHistory : [], {
    version: head.version,
    date: call.now,
    user: call.identity.ref,
  })
  const change = { type, head, versionHistory, before: previous, events: [save.event] }
  return writeItemHead(call, scope, {
    ...change,
    ...(givesBack && { givesBack }),
    ...(isMigrated && { isMigrated }),
  })
}

/**
 * Writes a changed state of a head (published, archived or deleted) with its journal entry. Makes
 * no new version. If a package has not changed the item yet, its head becomes main's version with
 * the new state. Errors: `invalid_state` on the branch of a package that is closed to changes.
 */
export async function setItemState(
  call: WriteCall,
  {
    scope,
    previous,
    event,
    state,
    details = {},
  }: {
    scope: Scope
    previous: Entity
    event: JournalEvent
    state: Partial<Entity>
    details?: JsonObject
  },
): Promise<Entity> {
  requireOpen(scope.package)
  const type = await typeOf(call, previous)
  const head = headWithState(previous, scope, state)
  const { versionHistory } = contextOf(previous)
  return writeItemHead(call, scope, {
    type,
    head,
    versionHistory,
    before: previous,
    events: [event],
    details,
  })
}

/**
 * Writes the rows derived from a head again after its type or the locales have changed, with another
 * state if that follows. Makes no version and no event.
 */
export async function rederiveItem(
  call: WriteCall,
  { head, type, state = {} }: { head: Entity; type: ContentType; state?: Partial<Entity> },
): Promise<void> {
  const changed = { ...head, ...state, revision: head.revision + 1 }
  const json = Object.keys(state).length === 0 ? head.json : JSON.stringify(serializedHead(changed))
  const next = { ...withDerived({ ...changed, json }, type), writtenDate: call.now }
  await call.store.entities.put(next, head.revision)
  await updatePublishedBranch(call, {
    before: head,
    head: next,
    type,
    derive: withDerived,
    isRederived: true,
  })
}

/** A head as it is stored, in the context in which it was last serialized. */
function serializedHead(head: Entity): ReturnType<typeof serializeItem> {
  return serializeItem(head, headVersion(head), { state: stateOf(head), context: contextOf(head) })
}

/** A head of an item to write. */
interface ItemWrite extends Pick<HeadWrite, 'head' | 'events'>, Pick<ItemContext, 'versionHistory'> {
  readonly type: ContentType
  /** The previous head, on this branch or on main; null if there was none. */
  readonly before: Entity | null
  /** Further details for the journal. */
  readonly details?: JsonObject
  /** See `Save.givesBack`. Default: whether the head is deleted. */
  readonly givesBack?: boolean
  readonly isMigrated?: boolean
}

/**
 * Writes a head of an item, adds the events of added and removed categories, and deletes versions
 * that the type does not retain. Returns the head with its serialized JSON.
 */
export async function writeItemHead(call: WriteCall, scope: Scope, write: ItemWrite): Promise<Entity> {
  const { type, head, before, events, details = {}, givesBack, isMigrated = false } = write
  const old = await versionsToForget(call.store, head, type)
  const context = { packageName: scope.package?.name ?? null, versionHistory: retainedHistory(write, old) }
  const item = serializeItem(head, headVersion(head), { state: stateOf(head), context })
  const locales = concernedLocales(write)
  const fileBytes = addedBytes(contentOf(head).asset, before && contentOf(before).asset)
  return writeHead(call, {
    head,
    json: JSON.stringify(item),
    rows: { ...rowsOf(head, type), fileBytes, ...(givesBack !== undefined && { givesBack }) },
    async follow(written) {
      const derived = { type, derive: withDerived, isRederived: isMigrated }
      await updatePublishedBranch(call, { before, head: written, ...derived })
      if (old) await call.store.entities.forgetVersions(head, head, old)
    },
    status: item.status,
    events: new Set([...events, ...categoryEvents(before, head)]),
    details: { ...(locales && { locales }), ...details },
  })
}

/**
 * The locales in which a write changes values or what is public; undefined if there are none, and in a
 * repository without locales.
 */
function concernedLocales({ type, before, head }: ItemWrite): readonly string[] | undefined {
  const { locales } = definitionOf(type) ?? {}
  if (!locales) return undefined
  const sides = { before: before ? comparedJson(before) : {}, after: comparedJson(head) }
  const values = changedLocales(type, sides) ?? []
  const published = republishedLocales(before, head, locales)
  const codes = locales.list.map(({ code }) => code)
  const concerned = codes.filter((code) => values.includes(code) || published.includes(code))
  return concerned.length === 0 ? undefined : concerned
}

/**
 * The events of added and removed categories, whatever caused the change (specification 6.1). None
 * for a deleted item.
 */
function categoryEvents(before: Entity | null, head: Entity): JournalEvent[] {
  if (head.deletedDate !== null) return []
  const previous = before ? contentOf(before).categories : []
  const current = contentOf(head).categories
  return [
    ...(current.some((id) => !previous.includes(id)) ? (['ITEM_CATEGORIZED'] as const) : []),
    ...(previous.some((id) => !current.includes(id)) ? (['ITEM_DECATEGORIZED'] as const) : []),
  ]
}

/** A head with the rows that are derived from it. */
function withDerived(head: Entity, type: ContentType): EntityWrite {
  return { ...head, ...rowsOf(head, type) }
}

/**
 * The rows that are derived from a head. The references of a deleted item do not prevent the
 * deletion of their targets.
 */
function rowsOf(head: Entity, type: ContentType): DerivedRows {
  const { categories, folderId, asset, fields } = contentOf(head)
  const structure = [
    ...categories.map((targetId) => ({ path: 'categories', targetId, onDelete: 'unset' as const })),
    ...(folderId === null ? [] : [{ path: 'parent', targetId: folderId, onDelete: 'restrict' as const }]),
  ]
  return {
    values: [
      ...indexedIn(type, fields),
      ...categories.map((value) => ({ path: categoriesPath, value })),
      ...indexedStates(type, head),
    ],
    edges: [...edgesOf(type.fields, fields), ...structure],
    search: documentOf(head, type),
    blobs: blobsOf(asset),
  }
}

/** Errors: `invalid` if the repository does not allow items of the type. */
export function requireAllowedType({ repository }: Scope, type: ContentType): void {
  const { allowedTypes } = repository.settings
  if (allowedTypes.length === 0 || allowedTypes.includes(type.name)) return
  throw invalid([
    { path: 'type', message: `the repository "${repository.name}" allows only ${allowedTypes.join(', ')}` },
  ])
}

/** Errors: `invalid_state` with the message if the condition does not hold. */
export function requireState(holds: boolean, message: string): void {
  if (!holds) throw new QuireError('invalid_state', message)
}
