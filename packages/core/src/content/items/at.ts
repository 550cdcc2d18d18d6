import { QuireError, type Item } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag } from '../../engine/if-match.ts'
import type { Scope } from '../../engine/scope.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import type { Entity } from '../../ports/index.ts'
import { momentVisible, versionOf, type VisibleVersion } from '../kinds/versions.ts'
import { mayRead, noSuchItem, type ItemTarget } from './find.ts'
import { contextOf, serializeItem, stateOf, type ItemState } from './item-json.ts'
import { serializeText } from './serialize.ts'
import { createdToCome, itemToCome } from './to-come.ts'
import { versionNamed } from './versions.ts'

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
  const { scope, head, state } = await itemToCome(call, target, at)
  const { publishedVersion } = state
  const visible = await versionNamed(call, {
    head: {
      ...head,
      publishedVersion,
      inheritsPublished: head.inheritsPublished && publishedVersion !== head.version,
    },
    name: version,
  })
  const { text } = await serializeVersion(call, { scope, head, visible, state })
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
