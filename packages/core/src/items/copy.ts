import type { ContentType, Contract, Item, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Transaction } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { contentOf, type ItemContent } from './content.ts'
import { madeSlug } from './create.ts'
import { findItem } from './find.ts'
import { presentHead } from './show.ts'
import { requireAllowedType, saveItem } from './save.ts'
import { freeSlug } from './slug.ts'
import { withoutGone } from './without-gone.ts'

type Input = ParsedOf<Contract['items']['copy']>

/**
 * Copies an item's newest version as a new draft. In another repository it stands at the top and without categories, unless
 * a folder there is named. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid`.
 */
export async function copyItem(call: Call, input: Input): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const from = await findPlace(inside, input)
    const original = await findItem(inside, from, input.id)
    const to =
      input.repositoryId === undefined ? from : await findPlace(inside, { configId: input.repositoryId })
    const type = await typeOf(inside, original)
    requirePermission(call, 'items.create', { repositoryId: to.repository.id, type: type.name })
    requireAllowedType(to, type)
    if (contentOf(original).asset)
      requirePermission(call, 'assets.download', { repositoryId: from.repository.id, type: type.name })
    const there = await withoutGone(tx.entities, to.line, contentThere(contentOf(original), from, to))
    const content = copiedContent(there, input)
    const slug = input.slug ?? (await copySlug(tx, { input, to, content, type }))
    const copied = await saveItem(call, tx, {
      place: to,
      type,
      previous: null,
      content: { ...content, slug },
      event: 'ITEM_CREATED',
    })
    return presentHead(inside, to.line, copied)
  })
}

function contentThere(content: ItemContent, from: Place, to: Place): ItemContent {
  return from.repository.id === to.repository.id ? content : { ...content, folderId: null, categories: [] }
}

function copiedContent(content: ItemContent, { folderId, name }: Input): ItemContent {
  return {
    ...content,
    folderId: folderId === undefined ? content.folderId : folderId,
    name: name ?? content.name,
  }
}

function copySlug(
  tx: Transaction,
  { input, to, content, type }: { input: Input; to: Place; content: ItemContent; type: ContentType },
): Promise<string> {
  if (input.name === undefined) return freeSlug(tx.entities, to.line, content.slug)
  return madeSlug(tx, { place: to, type, name: input.name, fields: {} })
}
