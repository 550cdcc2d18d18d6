import type { AssetDraft, Contract, Item, ParsedOf, BytesIn, ContentType } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { type Asset, withExtension } from '../../content/items/asset.ts'
import { saveNew } from '../../content/items/create.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import { type Scope } from '../../engine/scope.ts'
import { assetTypeFor, requireFitting, isNamedText } from './file-types.ts'
import { takeFile } from './file-text.ts'
import { contentOf, type ItemContent } from '../../content/items/content.ts'
import { requireOnItem } from '../../content/items/find.ts'
import { saveItem } from '../../content/items/save.ts'
import { typeOf } from '../../content/types/find.ts'
import { plainFileName } from './file-name.ts'
import { assetOfFile } from './received-file.ts'
import type { Entity, Branch } from '../../ports/index.ts'
import type { ItemTarget, TypeTarget } from '../../content/items/find.ts'

type Input = ParsedOf<Contract['assets']['create']>

/**
 * Creates an asset from a file: version 1, a draft. Without `name` it gets the name of the file.
 * Errors: `not_found` for the repository or package; `invalid`, also for a file that the type does
 * not accept; `slug_taken`, `forbidden`.
 */
export async function createAsset(
  call: WriteCall,
  { file, ...input }: Input,
  { scope }: TypeTarget,
): Promise<Serialized<Item>> {
  const saved = await saveAsset(call, { scope, input, asset: await takeFile(call.store, file) })
  return serializeHead(call, scope.branch, saved)
}

/** A new asset; missing members are derived from the file. */
interface NewAsset {
  readonly scope: Scope
  readonly input: AssetDraft
  readonly asset: Asset
}

/**
 * Saves version 1 of an asset. Errors: `forbidden` without `items.create` and `assets.upload` on
 * its type; those of a save.
 */
export async function saveAsset(call: WriteCall, { scope, input, asset }: NewAsset): Promise<Entity> {
  const type = await assetTypeFor(call, { scope, name: input.type, asset })
  const target = { ...scope.branch, type: type.name }
  requirePermission(call, 'assets.upload', target)
  requirePermission(call, 'items.create', target)
  const name = input.name ?? nameOf(asset)
  return saveNew(call, { scope, type, asset, input: { ...input, name } })
}

/** The file's name without its extension, cut to the maximum length of a name. */
function nameOf({ fileName }: Asset): string {
  const base = fileName.replace(/\.[^.]{1,10}$/, '').trim()
  return (base === '' ? fileName : base).slice(0, 200).toWellFormed()
}

type ReplaceInput = ParsedOf<Contract['assets']['replace']>

/**
 * Replaces the file of an asset, in a new version. Its focal point stays; custom renditions of the
 * old file are removed. Errors: `not_found`, `forbidden`, `precondition_failed`; `invalid` for a
 * file that the type does not accept.
 */
export async function replaceAsset(
  call: WriteCall,
  { file, fileName }: ReplaceInput,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  const asset = await takeFile(call.store, file)
  const saved = await saveFile(call, target, (old) => successor(old, asset, fileName))
  return serializeHead(call, target.scope.branch, saved)
}

/**
 * The binary that replaces another. A file without a name takes the old name, and the text type
 * that follows from it.
 */
export function successor(old: Asset | null, sent: Asset, fileName: string | undefined): Asset {
  const isUnnamed = old !== null && sent.fileName === 'file'
  const asset = isUnnamed && isTextByName(sent, old) ? { ...sent, ...kindOf(old) } : sent
  const stored = isUnnamed ? withExtension(old.fileName, asset.extension) : asset.fileName
  return {
    ...asset,
    fileName: fileName === undefined ? stored : plainFileName(fileName),
    focalPoint: old?.focalPoint ?? null,
  }
}

/** Whether both are texts and the type of the old one was derived from its name. */
function isTextByName({ mimeType }: Asset, old: Asset): boolean {
  return mimeType === 'text/plain' && isNamedText(old.mimeType)
}

function kindOf({ mimeType, extension }: Asset): Pick<Asset, 'mimeType' | 'extension'> {
  return { mimeType, extension }
}

/**
 * Saves the next version of an asset with another binary, for a caller who may update the item and
 * upload files of its type. Errors: those of `replaceAsset`.
 */
export async function saveFile(
  call: WriteCall,
  { scope, item: previous }: ItemTarget,
  change: (old: Asset | null) => Asset,
): Promise<Entity> {
  requireOnItem(call, previous, { key: 'items.update', branch: scope.branch, to: 'change' })
  requirePermission(call, 'assets.upload', { ...scope.branch, type: previous.type })
  const type = await typeOf(call, previous)
  const content = contentOf(previous)
  const asset = change(content.asset)
  requireFitting(type, asset)
  return saveItem(call, {
    scope,
    type,
    previous,
    content: { ...content, asset },
    event: 'ITEM_UPDATED',
  })
}

/**
 * Adds a file to a change of an item's content. Errors: `forbidden`; `invalid` for a file that the
 * type does not accept.
 */
export function withFile(
  call: Call,
  file: BytesIn,
): (content: ItemContent, type: ContentType, branch: Branch) => ItemContent {
  return (content, type, branch) => {
    requirePermission(call, 'assets.upload', { ...branch, type: type.name })
    const asset = successor(content.asset, assetOfFile(file), undefined)
    requireFitting(type, asset)
    return { ...content, asset }
  }
}
