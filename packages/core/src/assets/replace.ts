import type { BytesIn, ContentType, Contract, Item, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { withExtension, type Asset } from '../items/asset.ts'
import { contentOf, type ItemContent } from '../items/content.ts'
import { findItem, requireOnItem } from '../items/find.ts'
import { presentHead } from '../items/show.ts'
import { saveItem } from '../items/save.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { requireFitting } from './asset-type.ts'
import { plainFileName } from './file-name.ts'
import { takeFile } from './file-text.ts'
import { assetOfFile } from './received-file.ts'
import { isNamedText } from './sniff.ts'

type Input = ParsedOf<Contract['assets']['replace']>

/**
 * Gives an asset another file: a new version. Its focal point stays, hand-made renditions of the old file go.
 * Errors: `not_found`, `forbidden`, `precondition_failed`; `invalid` for a file that the type does not take.
 */
export async function replaceAsset(
  call: Call,
  { file, fileName, ...input }: Input,
): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const asset = await takeFile(tx, file)
    const change = (old: Asset | null) => successor(old, asset, fileName)
    const saved = await saveFile(call, tx, { place, id: input.assetId, change })
    return presentHead(inside, place.line, saved)
  })
}

/** The binary that follows another; of a file without a name it keeps the name and what only a name tells. */
export function successor(old: Asset | null, sent: Asset, fileName: string | undefined): Asset {
  const isUnnamed = old !== null && sent.fileName === 'file'
  const asset = isUnnamed && isTextByName(sent, old) ? { ...sent, ...kindOf(old) } : sent
  const kept = isUnnamed ? withExtension(old.fileName, asset.extension) : asset.fileName
  return {
    ...asset,
    fileName: fileName === undefined ? kept : plainFileName(fileName),
    focalPoint: old?.focalPoint ?? null,
  }
}

/** Whether both are texts, of which the old one was told by its name. */
function isTextByName({ mimeType }: Asset, old: Asset): boolean {
  return mimeType === 'text/plain' && isNamedText(old.mimeType)
}

function kindOf({ mimeType, extension }: Asset): Pick<Asset, 'mimeType' | 'extension'> {
  return { mimeType, extension }
}

/** A change of the binary of an asset. */
export interface FileChange {
  readonly place: Place
  readonly id: string
  readonly change: (old: Asset | null) => Asset
}

/** Saves the next version of an asset with another binary. Errors: as `replaceAsset`. */
export async function saveFile(
  call: Call,
  tx: Transaction,
  { place, id, change }: FileChange,
): Promise<Entity> {
  const inside = within(call, tx)
  const previous = await findItem(inside, place, id)
  requireOnItem(call, previous, { key: 'items.update', roles: 'write' })
  requirePermission(call, 'assets.upload', { repositoryId: place.repository.id, type: previous.type })
  const type = await typeOf(inside, previous)
  const content = contentOf(previous)
  const asset = change(content.asset)
  requireFitting(type, asset)
  return saveItem(call, tx, {
    place,
    type,
    previous,
    content: { ...content, asset },
    event: 'ITEM_UPDATED',
  })
}

/** What a file that comes with other changes makes of a content. Errors: `forbidden`; `invalid` for a file that the type does not take. */
export function withFile(
  call: Call,
  file: BytesIn,
): (content: ItemContent, type: ContentType, at: Entity) => ItemContent {
  return (content, type, { repositoryId }) => {
    requirePermission(call, 'assets.upload', { repositoryId, type: type.name })
    const asset = successor(content.asset, assetOfFile(file), undefined)
    requireFitting(type, asset)
    return { ...content, asset }
  }
}
