import { QuireError, type ContentType, type JournalEvent } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { entityEvent } from '../call/journal.ts'
import { headOnLine, headVersion, newHead } from '../lines/heads.ts'
import { requireOpen, type Place } from '../lines/lines.ts'
import {
  categoriesPath,
  type Entity,
  type EntityWrite,
  type JsonObject,
  type Transaction,
} from '../ports/index.ts'
import { edgesOf, indexedValues } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { requireDirectSave } from './auto-package.ts'
import { renderCard } from './card.ts'
import { documentOf } from './document.ts'
import { requireSoundContent } from './check.ts'
import { blobsOf } from './asset.ts'
import { contentOf, snapshotOf, type ItemContent } from './content.ts'
import { followPublished } from './published-line.ts'
import { marksOf, presentItem, surroundingsOf, withVersion, type Surroundings } from './present.ts'

/** A save to be made. */
export interface Save {
  readonly place: Place
  readonly type: ContentType
  /** The head that the content follows; null for a new item. */
  readonly previous: Entity | null
  readonly content: ItemContent
  readonly event: JournalEvent
}

/**
 * Saves what somebody sent: the next version of an item, or its first. Errors: as `writeItem`; `auto_package_required` on main when a
 * rule wants the save in a package.
 */
export async function saveItem(call: Call, tx: Transaction, save: Save): Promise<Entity> {
  await requireDirectSave(tx, save)
  return writeItem(call, tx, save)
}

/**
 * Writes the next version of an item, or its first, with everything derived from it and its journal entry, in one transaction.
 * Errors: `invalid`, `value_taken`, `slug_taken`, `invalid_state` on the line of a package that takes no changes.
 */
export async function writeItem(call: Call, tx: Transaction, save: Save): Promise<Entity> {
  const { place, type, previous } = save
  requireOpen(place.package)
  const id = previous?.id ?? call.environment.ids.next('CONT')
  const sound = await requireSoundContent(tx, { ...save, line: place.line, id })
  const snapshot = snapshotOf(sound, { type: type.name, cardPreview: await renderCard(type, sound) })
  const start = previous ? headOnLine(previous, place) : newHead(call, place, { kind: 'item', id })
  const head: Entity = {
    ...start,
    ...snapshot,
    version: start.version + 1,
    revision: start.revision + 1,
    updatedDate: call.now,
    updatedBy: call.identity.ref,
  }
  const around = surroundings(call, save, head)
  return writeHead(call, tx, { type, head, around, events: [save.event] })
}

/**
 * Writes changed marks of a head (published, archived, deleted) with its journal entry. In a package that had left the item
 * alone, the marked head is the package's first version of it.
 */
export async function markItem(
  call: Call,
  tx: Transaction,
  {
    place,
    previous,
    event,
    marks,
  }: { place: Place; previous: Entity; event: JournalEvent; marks: Partial<Entity> },
): Promise<Entity> {
  requireOpen(place.package)
  const type = await typeOf(within(call, tx), previous)
  const start = headOnLine(previous, place)
  const version = start.version === 0 ? 1 : start.version
  const head: Entity = { ...start, ...sameMarks(start), ...marks, version, revision: start.revision + 1 }
  const history = withVersion([], { version, date: previous.updatedDate, user: previous.updatedBy })
  const around = {
    ...surroundingsOf(previous),
    packageName: place.package?.name ?? null,
    ...(start.version === 0 && { versionHistory: history }),
  }
  return writeHead(call, tx, { type, head, around, events: [event] })
}

/** Writes what a changed type derives from a head, and nothing else: no version, no event. */
export async function rederiveItem(
  call: Call,
  tx: Transaction,
  { head, type }: { head: Entity; type: ContentType },
): Promise<void> {
  const next = { ...withDerived(head, type), revision: head.revision + 1, writtenDate: call.now }
  await tx.entities.put(next, head.revision)
  await followPublished(tx, { head: next, type, derive: withDerived, isRederived: true })
}

/** Shows on the line of what is published what a head of main has published. */
export async function showPublished(tx: Transaction, head: Entity, type: ContentType): Promise<void> {
  await followPublished(tx, { head, type, derive: withDerived })
}

/** A head to be written. */
export interface HeadWrite {
  readonly type: ContentType
  readonly head: Entity
  readonly around: Surroundings
  readonly events: readonly JournalEvent[]
  /** What the journal keeps beside. */
  readonly details?: JsonObject
}

/** Writes a head with everything derived from it and a journal entry for each event. */
export async function writeHead(
  call: Call,
  tx: Transaction,
  { type, head, around, events, details = {} }: HeadWrite,
): Promise<Entity> {
  const item = presentItem(head, headVersion(head), { marks: marksOf(head), around })
  const presented: Entity = { ...head, presentation: JSON.stringify(item) }
  await tx.entities.put({ ...withDerived(presented, type), writtenDate: call.now }, head.revision - 1)
  await showPublished(tx, presented, type)
  await forgetOld(tx, presented, type)
  for (const event of events) {
    await tx.journal.record(entityEvent(call, event, { entity: presented, status: item.status, details }))
  }
  return presented
}

/** Keeps as many versions as the type says, and the published one. */
async function forgetOld(tx: Transaction, head: Entity, { settings }: ContentType): Promise<void> {
  const { versionLimit } = settings
  if (versionLimit === null || head.version <= versionLimit) return
  const old = { before: head.version - versionLimit + 1, keep: head.publishedVersion }
  await tx.entities.forgetVersions(head, head, old)
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

/** A head that is taken in as it is: its version 1 says what main has published, where that is main's newest. */
export function sameMarks({ version, base, publishedVersion }: Entity): Partial<Entity> {
  const isPublishedHead = base !== null && base.publishedVersion === base.version
  return version === 0 && isPublishedHead && publishedVersion !== null ? { publishedVersion: 1 } : {}
}

function surroundings(call: Call, { place, previous }: Save, head: Entity): Surroundings {
  // In a package the history begins anew: versions are numbered on their line.
  const before = previous?.packageId === head.packageId ? surroundingsOf(previous).versionHistory : []
  return {
    packageName: place.package?.name ?? null,
    versionHistory: withVersion(before, { version: head.version, date: call.now, user: call.identity.ref }),
  }
}

/** Errors: `invalid` when the repository does not take items of the type. */
export function requireAllowedType({ repository }: Place, type: ContentType): void {
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
