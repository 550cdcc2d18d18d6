import { QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { Serialized, type Answer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag } from '../../engine/if-match.ts'
import type { Scope } from '../../engine/scope.ts'
import { momentVisible, versionOf, type VisibleVersion } from '../kinds/versions.ts'
import type { Entity, StoredJson } from '../../ports/index.ts'
import { noSuchItem, type ItemTarget } from './find.ts'
import { withMadePresets, serializeHead, serializeText } from './serialize.ts'
import { isPicked, pick } from './pick.ts'
import { stateOf, serializeItem, contextOf, type ItemState } from './item-json.ts'
import { itemToCome } from './to-come.ts'
import { versionNamed } from './versions.ts'

type Group = Contract['items']
type ReadItem = OutputOf<Group['get']>

/** Reads an item by its slug. Errors: `not_found`. */
export async function getItemBySlug(
  call: Call,
  input: ParsedOf<Group['getBySlug']>,
  { scope, item }: ItemTarget<StoredJson>,
): Promise<Answer<ReadItem>> {
  return answer(call, { scope, input, serialized: await serializeHead(call, scope.branch, item) })
}

/**
 * Reads an item, one of its versions, or the item as it was or will be at a given time. Errors:
 * `not_found`, `version_forgotten`, `merge_conflict`.
 */
export async function getItem(
  call: Call,
  input: ParsedOf<Group['get']>,
  target: ItemTarget,
): Promise<Answer<ReadItem>> {
  const { scope, item: head } = target
  const { at, version = 'latest' } = input
  if (at !== undefined && at !== call.now)
    return answer(call, { scope, input, serialized: await serializeAt(call, target, { at, version }) })
  const visible = await versionNamed(call, { head, name: version })
  const isHead = visible.version === head.version
  const serialized = isHead
    ? await serializeHead(call, scope.branch, head)
    : await serializeVersion(call, { scope, head, visible })
  return answer(call, { scope, input, serialized })
}

interface GetContext {
  readonly scope: Scope
  readonly input: { select?: string[] | undefined; include?: string[] | undefined }
  readonly serialized: Serialized<Item>
}

async function answer(
  call: Call,
  { scope, input, serialized: stored }: GetContext,
): Promise<Answer<ReadItem>> {
  const serialized = withMadePresets(call, stored)
  if (!isPicked(input)) return serialized
  const item = serialized.value()
  const isTextWanted = input.select?.includes('text') ?? false
  const select = input.select?.filter((name) => name !== 'text')
  const [picked = item] = await pick(call, { scope, items: [item], input: { ...input, select } })
  const answered = isTextWanted ? { ...picked, text: await textOf(call, item) } : picked
  // With `include` or `text` the answer depends on more than this item's revision, so it has no
  // tag.
  return new Serialized(JSON.stringify(answered), input.include || isTextWanted ? null : serialized.etag)
}

/** The text extracted from the item's file; null without a file or without text in it. */
async function textOf(call: Call, { asset }: Item): Promise<string | null> {
  return asset && call.store.texts.get(asset.hash)
}

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
