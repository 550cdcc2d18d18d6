import { QuireError, type Item } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag } from '../../engine/if-match.ts'
import type { Scope } from '../../engine/scope.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import type { Entity } from '../../ports/index.ts'
import { momentVisible, versionOf, type VisibleVersion } from '../kinds/versions.ts'
import { typeOf } from '../types/find.ts'
import { mayRead, noSuchItem, type ItemTarget } from './find.ts'
import { contextOf, serializeItem, stateOf, type ItemState } from './item-json.ts'
import { publishedState, unpublishedState } from './publications.ts'
import { serializeText } from './serialize.ts'
import { versionNamed } from './versions.ts'
import {
  changedBy,
  duePackages,
  requireUnchanged,
  scopeOfDue,
  type DuePackage,
} from '../kinds/due-packages.ts'
import { headOnMain } from './publish.ts'
import { scheduled } from './schedule.ts'

/** A time in Unix ms, and the version to read, by name or number. */
interface Then {
  readonly at: number
  readonly version?: string
}

/**
 * An item as it was at a time, or as it will be: the version and the state of that time. Errors:
 * `not_found` if it does not exist then; `version_forgotten`; `merge_conflict`.
 */
export function serializeAt(call: Call, target: ItemTarget, then: Then): Promise<Serialized<Item>> {
  return then.at > call.now ? serializeToCome(call, target, then) : serializePast(call, target, then)
}

/** Without a tag: schedules can change while the item does not. */
async function serializeToCome(
  call: Call,
  target: ItemTarget,
  { at, version = 'latest' }: Then,
): Promise<Serialized<Item>> {
  const { scope, head } = await itemToCome(call, target, at)
  const visible = await versionNamed(call, { head, name: version })
  const { text } = await serializeVersion(call, { scope, head, visible })
  return new Serialized(text, null)
}

async function serializePast(
  call: Call,
  { scope, item: head }: ItemTarget,
  { at, version = 'latest' }: Then,
): Promise<Serialized<Item>> {
  const moment = await momentVisible(call.store.entities, head, at)
  if (!moment || moment.deleted) throw noSuchItem()
  if (version === 'latest' && !(await isStored(call, head, moment.version)))
    throw new QuireError('version_forgotten', `Version ${moment.version} of that time is not kept any more.`)
  const visible = await versionNamed(call, {
    head: { ...head, publishedVersion: moment.publishedVersion, inheritsPublished: false },
    name: version === 'latest' ? String(moment.version) : version,
  })
  if (visible.version > moment.version) throw noSuchItem()
  const state: ItemState = { ...moment, latestVersion: moment.version }
  return serializeVersion(call, { scope, head, visible, state })
}

/** Whether a version still exists: a content type can limit how many do. */
async function isStored({ store }: Call, head: Entity, version: number): Promise<boolean> {
  return version === head.version || (await versionOf(store.entities, head, version)) !== null
}

/** Serializes one version of an item, against its state now or at another time. */
export async function serializeVersion(
  call: Call,
  {
    scope,
    head,
    visible,
    state = stateOf(head),
  }: { scope: Scope; head: Entity; visible: VisibleVersion; state?: ItemState },
): Promise<Serialized<Item>> {
  const context = contextOf(head)
  const packageName = visible.packageId === null ? null : context.packageName
  const versionHistory = context.versionHistory.filter(({ version }) => version <= state.latestVersion)
  const item = serializeItem(head, visible, { state, context: { packageName, versionHistory } })
  const tag = `${headTag(head)}.v${visible.version}`
  return serializeText(call, scope.branch, { text: JSON.stringify(item), tag })
}

/**
 * An item that the caller may read, as it was or will be at a time (Unix ms); null if it does not
 * exist then. Errors: `version_forgotten`, `merge_conflict`.
 */
export async function itemAt(
  call: Call,
  scope: Scope,
  { id, at }: { id: string; at: number },
): Promise<Item | null> {
  const item = await call.store.entities.get(scope.branch, 'item', id)
  const target = item ? { scope, item } : at > call.now ? await createdToCome(call, scope, { id, at }) : null
  if (!target || !mayRead(call, target.item) || (at > call.now && target.item.deletedDate !== null))
    return null
  const serialized = await serializeAt(call, target, { at }).catch(whenAbsent(() => null))
  return serialized && serialized.value()
}

/** An item as it will be, if nobody changes it or its schedule. */
interface ItemToCome {
  readonly scope: Scope
  readonly head: Entity
}

/** Something that is due for an item. */
interface Due {
  /** Unix ms. */
  readonly at: number
  readonly applyTo: (item: ItemToCome) => ItemToCome
}

/**
 * An item as it will be at a time (Unix ms): what is scheduled for it until then, and on main also the
 * packages that merge until then and change it, in order. Nothing is merged: if a package and main, or
 * two packages, have changed the item, that is `merge_conflict`. Errors: `not_found` if a package
 * deletes it.
 */
async function itemToCome(call: Call, { scope, item }: ItemTarget, at: number): Promise<ItemToCome> {
  const due = [
    ...(await duePackageChanges(call, { scope, item }, at)),
    ...(await dueStates(call, { scope, item })),
  ]
  return due
    .filter((one) => one.at <= at)
    .toSorted((one, other) => one.at - other.at)
    .reduce<ItemToCome>((before, { applyTo }) => applyTo(before), { scope, head: item })
}

async function dueStates(call: Call, { scope, item }: ItemTarget): Promise<Due[]> {
  const { id } = item
  const publishing = await scheduled(call, scope.branch, { kind: 'item.publish', id })
  const withdrawing = await scheduled(call, scope.branch, { kind: 'item.unpublish', id })
  if (!publishing && !withdrawing) return []
  const type = await typeOf(call, item)
  const main = await headOnMain(call, { scope, item })
  const due: Due[] = []
  const push = (at: number, stateThen: (head: Entity) => Partial<Entity>) =>
    due.push({ at, applyTo: (before) => inState(before, stateThen) })
  if (publishing) {
    const { at, locales: named } = publishing
    push(at, (head) => (head.archived ? {} : publishedState(type, { head, main, named, date: at })))
  }
  if (withdrawing) {
    const { at, locales: named } = withdrawing
    push(at, (head) => unpublishedState(type, { head, main, named }))
  }
  return due
}

/** An item in a state that is due; as it is if that is refused then. */
function inState(before: ItemToCome, stateThen: (head: Entity) => Partial<Entity>): ItemToCome {
  try {
    return { ...before, head: { ...before.head, ...stateThen(before.head) } }
  } catch (error) {
    if (error instanceof QuireError) return before
    throw error
  }
}

/** The packages that change the item. */
async function duePackageChanges(
  call: Call,
  { scope, item: { id } }: ItemTarget,
  until: number,
): Promise<Due[]> {
  const due: Due[] = []
  for (const found of await duePackages(call, scope, until)) {
    const head = await changedBy(call, found, { kind: 'item', id })
    if (head)
      due.push({ at: found.mergeAt, applyTo: (before) => merged(call, before, { found, head, scope }) })
  }
  return due
}

interface Merged {
  readonly found: DuePackage
  readonly head: Entity
  /** Main. */
  readonly scope: Scope
}

/** Errors: `merge_conflict`, `not_found`. */
function merged(call: Call, before: ItemToCome, { found, head, scope }: Merged): ItemToCome {
  const { version, archived } = before.head
  requireUnchanged(found, head, { packageId: before.scope.branch.packageId, version, archived })
  if (head.deletedDate !== null || !mayRead(call, head)) throw noSuchItem()
  return { scope: scopeOfDue(scope, found), head }
}

/** An item that a package creates that merges until a time (Unix ms), in that package; null if none does. */
async function createdToCome(
  call: Call,
  scope: Scope,
  { id, at }: { id: string; at: number },
): Promise<ItemTarget | null> {
  for (const found of await duePackages(call, scope, at)) {
    const item = await changedBy(call, found, { kind: 'item', id })
    if (item?.base === null) return { scope: scopeOfDue(scope, found), item }
  }
  return null
}
