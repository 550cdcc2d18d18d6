import type { ContentType, Contract, Item, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import type { Transaction } from '../../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { contentOf, type ItemContent } from './content.ts'
import { madeSlug } from './create.ts'
import { findItem } from './find.ts'
import { serializeHead } from './serialize.ts'
import { requireAllowedType, saveItem } from './save.ts'
import { freeSlug } from './slug.ts'
import { withoutGone } from './holders.ts'

type Input = ParsedOf<Contract['items']['copy']>

/**
 * Copies an item's newest version as a new draft. In another repository it stands at the top and without categories, unless
 * a folder there is named. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid`.
 */
export async function copyItem(call: Call, input: Input): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const from = await findScope(call, input)
    const original = await findItem(call, from, input.id)
    const to =
      input.repositoryId === undefined ? from : await findScope(call, { configId: input.repositoryId })
    const type = await typeOf(call, original)
    requirePermission(call, 'items.create', { ...to.branch, type: type.name })
    requireAllowedType(to, type)
    if (contentOf(original).asset)
      requirePermission(call, 'assets.download', { repositoryId: from.repository.id, type: type.name })
    const there = await withoutGone(
      call.store.entities,
      to.branch,
      contentThere(contentOf(original), from, to),
    )
    const content = copiedContent(there, input)
    const slug = input.slug ?? (await copySlug(call.store, { input, to, content, type }))
    const copied = await saveItem(call, {
      scope: to,
      type,
      previous: null,
      content: { ...content, slug },
      origin: original,
      event: 'ITEM_CREATED',
    })
    return serializeHead(call, to.branch, copied)
  })
}

function contentThere(content: ItemContent, from: Scope, to: Scope): ItemContent {
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
  store: Transaction,
  { input, to, content, type }: { input: Input; to: Scope; content: ItemContent; type: ContentType },
): Promise<string> {
  if (input.name === undefined) return freeSlug(store.entities, to.branch, content.slug)
  return madeSlug(store, { scope: to, type, name: input.name, fields: {} })
}
