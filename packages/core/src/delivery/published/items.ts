import { QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { tagShowing } from '../../engine/if-match.ts'
import { viewIn } from '../../engine/locales.ts'
import { findItem, noSuchItem, requireReadable } from '../../content/items/find.ts'
import { pageOn } from '../../content/items/listing.ts'
import { pick, type PickOptions } from '../../content/items/pick.ts'
import { serializeHead, sentItems } from '../../content/items/serialize.ts'
import type { Entity } from '../../ports/index.ts'
import {
  publishedScope,
  type PublishedScope,
  isPublished,
  publicMembers,
  publishedView,
  requirePublishedVersion,
} from './scope.ts'
import { itemBySlug } from '../../content/locales/by-slug.ts'

type Published = Contract['published']
type ReadItem = OutputOf<Published['item']>

/**
 * Lists published items that match, sorted. Errors: `unauthorized`, `not_found`; `invalid` naming
 * unknown fields, operators and members.
 */
export async function listPublished(
  call: Call,
  { configId, ...input }: ParsedOf<Published['items']>,
): Promise<OutputOf<Published['items']>> {
  const at = await publishedScope(call, configId)
  const { page, nextCursor } = await pageOn(at.call, {
    scope: at.scope,
    input,
    members: publicMembers,
    always: isPublished,
  })
  const items = await sentItems(at.call, at.scope.branch, page.entities)
  return {
    ...(page.count !== undefined && { count: page.count }),
    items: await pick(at.call, { scope: at.scope, items, input, view: publishedView }),
    ...(nextCursor !== undefined && { nextCursor }),
  }
}

/** Returns a published item. Errors: `unauthorized`, `not_found`. */
export async function getPublished(
  call: Call,
  { configId, id, version, ...input }: ParsedOf<Published['item']>,
): Promise<Serialized<ReadItem>> {
  return inPublicLocale(call, configId, async (at) =>
    serialize(at, await findPublished(at, id), { version, ...input }),
  )
}

/** Returns a published item by its slug. Errors: `unauthorized`, `not_found`. */
export async function getPublishedBySlug(
  call: Call,
  { configId, slug, version, ...input }: ParsedOf<Published['itemBySlug']>,
): Promise<Serialized<ReadItem>> {
  return inPublicLocale(call, configId, async (at) =>
    serialize(at, await findPublishedBySlug(at, slug), { version, ...input }),
  )
}

/**
 * Reads an item in the locale of the call. With `fallback: true` it is read in the first of the
 * locale's fallbacks in which it is public. Errors: those of `read`.
 */
async function inPublicLocale<T>(
  call: Call,
  configId: string,
  read: (at: PublishedScope) => Promise<T>,
): Promise<T> {
  const at = await publishedScope(call, configId)
  const { locales } = at.scope.repository.settings
  const { fallback } = call.localeChoice ?? {}
  const [, ...others] = locales && fallback ? (viewIn(call, locales)?.chain ?? []) : []
  const tryNext = async (found: PublishedScope): Promise<T> => {
    try {
      return await read(found)
    } catch (error) {
      const locale = others.shift()
      if (locale === undefined || !(error instanceof QuireError) || error.code !== 'not_found') throw error
      return tryNext(await publishedScope({ ...call, localeChoice: { locale, fallback: true } }, configId))
    }
  }
  return tryNext(at)
}

/** Finds the head of an item on the published branch. Errors: `not_found`. */
export async function findPublished({ call, scope }: PublishedScope, id: string): Promise<Entity> {
  const head = await findItem(call, scope, id)
  call.cacheTags?.item(head.id)
  if (!publishedView.isVisible(head)) throw noSuchItem()
  return head
}

/** Finds the head by the slug that the item was published with. Errors: `not_found`. */
export async function findPublishedBySlug(at: PublishedScope, slug: string): Promise<Entity> {
  const { call, scope } = at
  const found = requireReadable(call, await itemBySlug(call, scope.branch, { slug }))
  return findPublished(at, found.id)
}

async function serialize(
  { call, scope }: PublishedScope,
  head: Entity,
  input: PickOptions & { version: string | undefined },
): Promise<Serialized<ReadItem>> {
  const serialized = await serializeHead(call, scope.branch, head)
  const item = serialized.value()
  requirePublishedVersion(input.version, head)
  const [visible] = await pick(call, { scope, items: [item], input, view: publishedView })
  // With `include`, the response depends on more than this item's revision.
  return new Serialized(JSON.stringify(visible), input.include ? null : await publishedTag(item))
}

/** A strong entity tag of the published state only, so that it reveals nothing about drafts. */
async function publishedTag(item: Item): Promise<string> {
  const { id, currentVersion, publishedDate, taxonomies, locale, fallbacks } = item
  const tag = `${id}.${currentVersion}.${publishedDate}`
  // Other fallbacks of the locale show other values of the same version.
  if (locale !== undefined) return tagShowing(tag, JSON.stringify([taxonomies, locale, fallbacks]))
  return taxonomies.length === 0 ? tag : tagShowing(tag, JSON.stringify(taxonomies))
}
