import type { Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import { Presented, type Answer } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, EntityVersion, PresentedEntity } from '../ports/index.ts'
import { categoriesOf } from './categories.ts'
import { contentOf } from './content.ts'
import { findItem, noSuchItem, readable } from './find.ts'
import { isPicked, pick } from './pick.ts'
import { itemTag, marksOf, presentHead, presentItem, surroundingsOf, type Marks } from './present.ts'
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
  return answer(call, { place, head, input, presented: presentHead(head) })
}

/** An item, one of its versions, or what it was at a time. Errors: `not_found`. */
export async function getItem(call: Call, input: ParsedOf<Group['get']>): Promise<Answer<ReadItem>> {
  const place = await findPlace(call, input)
  if (input.at !== undefined && input.at < call.now) return itemAt(call, { place, input, at: input.at })
  const head = await findItem(call, place, input.id)
  const shown = await versionNamed(call, { place, head, name: input.version ?? 'latest' })
  const presented =
    shown.version === head.version ? presentHead(head) : await presentVersion(call, { place, head, shown })
  return answer(call, { place, head, input, presented })
}

interface Reading {
  readonly place: Place
  readonly head: PresentedEntity
  readonly input: { select?: string[] | undefined; include?: string[] | undefined }
  readonly presented: Presented<Item>
}

async function answer(call: Call, { place, head, input, presented }: Reading): Promise<Answer<ReadItem>> {
  if (!isPicked(input)) return presented
  const [picked = presented.value()] = await pick(call, { place, items: [presented.value()], input })
  // With `include` the answer depends on more than this item's revision.
  return new Presented(JSON.stringify(picked), input.include ? null : itemTag(head))
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
  return answer(call, { place, head: readableHead, input, presented })
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
  const { taxonomies } = await categoriesOf(call.store.entities, place.line, contentOf(shown).categories)
  const around = surroundingsOf(head)
  const versionHistory = around.versionHistory.filter(({ version }) => version <= marks.latestVersion)
  const item = presentItem(head, shown, { marks, around: { ...around, taxonomies, versionHistory } })
  return new Presented(JSON.stringify(item), `${itemTag(head)}.v${shown.version}`)
}
