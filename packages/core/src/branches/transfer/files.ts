import { ExportedAsset, limits, parseAs, QuireError, type Issue } from '@quire/contract'
import { assetIn, blobsOf, type Asset, type CustomRendition } from '../../content/items/asset.ts'
import type { Call } from '../../engine/call.ts'
import { withText } from '../../files/assets/file-text.ts'
import { describeFile, receiveFile } from '../../files/assets/received-file.ts'
import type { Entity, Json, StoredBlob } from '../../ports/index.ts'
import type { Archive } from './archive.ts'

/** The files of an archive, of which each is stored once. */
export interface ArchiveFiles {
  readonly archive: Archive
  /** Files whose bytes were compared with their hash. */
  readonly verified: Set<string>
}

/** An asset as it is stored here. */
export interface StoredAsset {
  readonly asset: Asset
  /** The text of its file, to be stored with it; null if there is none, or if it is stored already. */
  readonly text: string | null
}

interface AssetLine {
  readonly asset: Json
  /** The entity here; undefined if there is none. */
  readonly head: Entity | undefined
  readonly issues: Issue[]
}

/**
 * The asset of a line as it is stored here. Null, with an issue, if its file is neither in the
 * archive nor the file of the same entity here: a line could otherwise show the bytes of any file
 * whose hash somebody knows.
 */
export async function takeAsset(
  call: Call,
  files: ArchiveFiles,
  { asset, head, issues }: AssetLine,
): Promise<StoredAsset | null> {
  const parsed = parseAs(ExportedAsset, asset)
  if ('issues' in parsed) {
    issues.push(...parsed.issues.map(({ path, message }) => ({ path: `asset.${path}`, message })))
    return null
  }
  const { hash, fileName, focalPoint, renditions } = parsed.value
  const own = head ? assetIn(head.body) : null
  if (own && own.hash === hash && namesOf(own.renditions) === namesOf(renditions))
    return { asset: { ...own, fileName, focalPoint }, text: null }
  const take = (needed: string) => storedFile(call, files, { hash: needed, own, issues })
  const stored = await take(hash)
  if (!stored) return null
  const described = await withText(call, await describeFile(call, stored, fileName))
  const made: CustomRendition[] = []
  for (const rendition of renditions) {
    const bytes = await take(rendition.hash)
    if (bytes) made.push(await renditionOf(call, bytes, rendition.name))
  }
  return { asset: { ...described.asset, focalPoint, renditions: made }, text: described.text }
}

function namesOf(renditions: readonly Pick<CustomRendition, 'name' | 'hash'>[]): string {
  const named = renditions.map(({ name, hash }) => `${name} ${hash}`)
  return named.toSorted().join('\n')
}

interface NeededFile {
  readonly hash: string
  /** The asset that the entity has here. */
  readonly own: Asset | null
  readonly issues: Issue[]
}

/** The stored bytes of a file; null with an issue. */
async function storedFile(
  call: Call,
  { archive: { members }, verified }: ArchiveFiles,
  { hash, own, issues }: NeededFile,
): Promise<StoredBlob | null> {
  const no = (message: string) => {
    issues.push({ path: 'asset', message })
    return null
  }
  const stored = await call.environment.blobs.stat(hash)
  if (stored && (verified.has(hash) || blobsOf(own).includes(hash))) return stored
  const name = `blobs/${hash}`
  const member = members.get(name)
  if (!member) return no(`the file ${name} is not in the archive`)
  if (member.size > limits.fileBytes) return no(`a file has at most ${limits.fileBytes} bytes`)
  try {
    const { asset } = await receiveFile(call, { stream: member.read }, undefined)
    if (asset.hash !== hash) return no(`${name} holds other bytes: their hash is ${asset.hash}`)
    verified.add(hash)
    return asset
  } catch (error) {
    if (error instanceof QuireError && error.code === 'invalid') return no(error.message)
    throw error
  }
}

async function renditionOf(call: Call, blob: StoredBlob, name: string): Promise<CustomRendition> {
  const { asset } = await describeFile(call, blob, name)
  const { hash, size, mimeType, extension, width, height } = asset
  return { name, hash, size, mimeType, extension, width, height }
}
