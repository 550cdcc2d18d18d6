import type { Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import { Presented, type Answer } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { headTag } from '../call/head-tag.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, EntityVersion } from '../ports/index.ts'
import { findItem, noSuchItem, readable } from './find.ts'
import { isPicked, pick } from './pick.ts'
import { marksOf, presentItem, surroundingsOf, type Marks } from './present.ts'
import { presentHead, presentText } from './show.ts'
import { numberedVersion, versionNamed } from './shown-version.ts'

type Group = Contract['items']
type ReadItem = OutputOf<Group['get']>

/** An item by its slug. Errors: `not_found`. */
export async function getItemBySlug(
  call: Call,
  input: ParsedOf<Group['getBySlug']>,
): Promise<Answer<ReadItem>> {
  const place = await findPlace(call, input)
  const head = readable(call, await call.store.entities.getBySlug(place.line, 'item', input.slug))
  return answer(call, { place, input, presented: await presentHead(call, place.line, head) })
}

/** An item, one of its versions, or what it was at a time. Errors: `not_found`. */
export async function getItem(call: Call, input: ParsedOf<Group['get']>): Promise<Answer<ReadItem>> {
  const place = await findPlace(call, input)
  if (input.at !== undefined && input.at < call.now) return itemAt(call, { place, input, at: input.at })
  const head = await findItem(call, place, input.id)
  const shown = await versionNamed(call, { place, head, name: input.version ?? 'latest' })
  const isHead = shown.version === head.version
  const presented = isHead
    ? await presentHead(call, place.line, head)
    : await presentVersion(call, { place, head, shown })
  return answer(call, { place, input, presented })
}

interface Reading {
  readonly place: Place
  readonly input: { select?: string[] | undefined; include?: string[] | undefined }
  readonly presented: Presented<Item>
}

async function answer(call: Call, { place, input, presented }: Reading): Promise<Answer<ReadItem>> {
  if (!isPicked(input)) return presented
  const item = presented.value()
  const isTextWanted = input.select?.includes('text') ?? false
  const select = input.select?.filter((name) => name !== 'text')
  const [picked = item] = await pick(call, { place, items: [item], input: { ...input, select } })
  const answered = isTextWanted ? { ...picked, text: await textOf(call, item) } : picked
  // With `include` or `text` the answer depends on more than this item's revision.
  return new Presented(JSON.stringify(answered), input.include || isTextWanted ? null : presented.etag)
}

/** The text of the file of what is shown; null when it has no file, or none was found in it. */
async function textOf(call: Call, { asset }: Item): Promise<string | null> {
  return asset && call.store.texts.get(asset.hash)
}

/** An item as it was at a time: that version, with the marks of then. Errors: `not_found` when it was not there. */
async function itemAt(
  call: Call,
  { place, input, at }: { place: Place; input: ParsedOf<Group['get']>; at: number },
): Promise<Answer<ReadItem>> {
  const head = await call.store.entities.get(place.line, 'item', input.id)
  const moment = head && (await call.store.entities.moment(place.line, { kind: 'item', id: head.id }, at))
  if (!head || !moment || moment.deleted) throw noSuchItem()
  const readableHead = readable(call, { ...head, deletedDate: null })
  const shown = await versionNamed(call, {
    place,
    head: { ...readableHead, version: moment.version, publishedVersion: moment.publishedVersion },
    name: input.version ?? 'latest',
  })
  if (shown.version > moment.version) throw noSuchItem()
  const whole =
    shown.version === head.version
      ? shown
      : await numberedVersion(call, { place, head, version: shown.version })
  const marks: Marks = { ...moment, latestVersion: moment.version }
  const presented = await presentVersion(call, { place, head: readableHead, shown: whole, marks })
  return answer(call, { place, input, presented })
}

async function presentVersion(
  call: Call,
  {
    place,
    head,
    shown,
    marks = marksOf(head),
  }: { place: Place; head: Entity; shown: EntityVersion; marks?: Marks },
): Promise<Presented<Item>> {
  const around = surroundingsOf(head)
  const versionHistory = around.versionHistory.filter(({ version }) => version <= marks.latestVersion)
  const item = presentItem(head, shown, { marks, around: { ...around, versionHistory } })
  const tag = `${headTag(head)}.v${shown.version}`
  return presentText(call, place.line, { text: JSON.stringify(item), tag })
}
