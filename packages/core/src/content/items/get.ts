import type { Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import { Serialized, type Answer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { StoredJson } from '../../ports/index.ts'
import { serializeAt, serializeVersion } from './at.ts'
import type { ItemTarget } from './find.ts'
import { withMadePresets, serializeHead } from './serialize.ts'
import { isPicked, pick, type PickOptions } from './pick.ts'
import { versionNamed } from './versions.ts'

type Group = Contract['items']
type ReadItem = OutputOf<Group['get']>

/** Reads an item by its slug. Errors: `not_found`. */
export async function getItemBySlug(
  call: Call,
  input: ParsedOf<Group['getBySlug']>,
  { scope, item, read }: ItemTarget<StoredJson>,
): Promise<Answer<ReadItem>> {
  return answer(call, { scope, input, serialized: read ?? (await serializeHead(call, scope.branch, item)) })
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
  readonly input: PickOptions
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
