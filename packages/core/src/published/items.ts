import type { Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { tagShowing } from '../call/head-tag.ts'
import { findItem, noSuchItem, readable } from '../items/find.ts'
import { pageOn } from '../items/listing.ts'
import { pick, type Picking } from '../items/pick.ts'
import { presentHead, sentItems } from '../items/show.ts'
import type { Entity } from '../ports/index.ts'
import { publishedPlace, type PublishedPlace } from './place.ts'
import { isPublished, publicMembers, publishedView, requirePublishedVersion } from './view.ts'

type Published = Contract['published']
type ReadItem = OutputOf<Published['item']>

/** Published items that match, in order. Errors: `unauthorized`, `not_found`; `invalid` naming unknown fields, operators and members. */
export async function listPublished(
  call: Call,
  { configId, ...input }: ParsedOf<Published['items']>,
): Promise<OutputOf<Published['items']>> {
  const at = await publishedPlace(call, configId)
  const { page, nextCursor } = await pageOn(at.call, {
    place: at.place,
    input,
    members: publicMembers,
    always: isPublished,
  })
  const items = await sentItems(at.call, at.place.line, page.entities)
  return {
    ...(page.count !== undefined && { count: page.count }),
    items: await pick(at.call, { place: at.place, items, input, view: publishedView }),
    ...(nextCursor !== undefined && { nextCursor }),
  }
}

/** A published item. Errors: `unauthorized`, `not_found`. */
export async function getPublished(
  call: Call,
  { configId, id, version, ...input }: ParsedOf<Published['item']>,
): Promise<Presented<ReadItem>> {
  const at = await publishedPlace(call, configId)
  return answer(at, await findPublished(at, id), { version, ...input })
}

/** A published item by its slug. Errors: `unauthorized`, `not_found`. */
export async function getPublishedBySlug(
  call: Call,
  { configId, slug, version, ...input }: ParsedOf<Published['itemBySlug']>,
): Promise<Presented<ReadItem>> {
  const at = await publishedPlace(call, configId)
  return answer(at, await findPublishedBySlug(at, slug), { version, ...input })
}

/** The head that shows what is published of an item. Errors: `not_found`. */
export async function findPublished({ call, place }: PublishedPlace, id: string): Promise<Entity> {
  const head = await findItem(call, place, id)
  if (!publishedView.isShown(head)) throw noSuchItem()
  return head
}

/** The same by the slug that it was published with. Errors: `not_found`. */
export async function findPublishedBySlug(at: PublishedPlace, slug: string): Promise<Entity> {
  const { call, place } = at
  const found = readable(call, await call.store.entities.getBySlug(place.line, 'item', slug))
  return findPublished(at, found.id)
}

async function answer(
  { call, place }: PublishedPlace,
  head: Entity,
  input: Picking & { version: string | undefined },
): Promise<Presented<ReadItem>> {
  const presented = await presentHead(call, place.line, head)
  const item = presented.value()
  requirePublishedVersion(input.version, head)
  const [shown] = await pick(call, { place, items: [item], input, view: publishedView })
  // With `include` the answer depends on more than this item's revision.
  return new Presented(JSON.stringify(shown), input.include ? null : await publishedTag(item))
}

/** The strong entity tag of what is published: of that alone, so that it tells nothing of a draft. */
async function publishedTag({ id, currentVersion, publishedDate, taxonomies }: Item): Promise<string> {
  const tag = `${id}.${currentVersion}.${publishedDate}`
  return taxonomies.length === 0 ? tag : tagShowing(tag, JSON.stringify(taxonomies))
}
