import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Api, Client } from '@quire/client'
import { uploadInTwo } from './upload.ts'

/** The input of the program. */
export interface Desk {
  readonly file: File
  /** The folder for the archive. */
  readonly folder: string
}

/** Identifies an asset in a call. */
interface AssetRef {
  readonly configId: string
  readonly assetId: string
}

const configId = 'magazine'

/** Follows a picture from its upload to an archive, and reports each step as lines of text. */
export async function pictureDesk(
  quire: Client,
  { file, folder }: Desk,
  notify: (line: string) => void,
): Promise<void> {
  const reportAll = (title: string, lines: readonly string[]) => {
    notify(title)
    for (const line of lines) notify(`  ${line}`)
  }
  notify('an upload')
  const { id, name, asset } = await uploadInTwo(quire, file, (line) => notify(`  ${line}`))
  const galls = { configId, assetId: id }
  reportAll(name, [`${asset?.mimeType}, ${asset?.width} × ${asset?.height}, ${asset?.size} bytes`])

  await quire.items.update({ configId, id, focalPoint: { x: 0.8, y: 0.3 } })
  reportAll('hero, by what the caller accepts', await heroLines(quire, galls))
  reportAll('all renditions, as WebP where possible', await sizeLines(quire, galls))
  reportAll('the first bytes', [await firstBytes(quire, galls)])

  const again = await quire.assets.create({ configId, type: 'picture', name: 'Once more', file })
  reportAll('an archive of both', [await archiveLine(quire, [id, again.id], folder)])
}

/** One URL, three formats: `Accept` decides if neither the call nor the preset names a format. */
async function heroLines({ assets }: Api, asset: AssetRef): Promise<string[]> {
  const lines: string[] = []
  for (const accept of ['image/avif,image/webp,*/*', 'image/webp,*/*', '*/*']) {
    const picture = await assets.get({ ...asset, rendition: 'hero' }, { accept })
    const { length } = await picture.bytes()
    lines.push(`${accept}: ${picture.mimeType}, ${length} bytes`)
  }
  return lines
}

async function sizeLines({ assets, renditions }: Api, asset: AssetRef): Promise<string[]> {
  const lines: string[] = []
  const { items } = await renditions.list(asset)
  for (const { name, type } of items) {
    const format = type === 'preset' ? ({ format: 'webp' } as const) : {}
    const picture = await assets.get({ ...asset, rendition: name, ...format })
    const { length } = await picture.bytes()
    lines.push(`${name}: ${picture.fileName}, ${length} bytes`)
  }
  return lines
}

/** Reads a part of the file, like a player that seeks or a download that resumes. */
async function firstBytes({ assets }: Api, asset: AssetRef): Promise<string> {
  const part = await assets.get({ ...asset, rendition: 'original' }, { range: { start: 0, end: 3 } })
  const { start, end, total } = part.range ?? { start: 0, end: 0, total: 0 }
  const bytes = Buffer.from(await part.bytes())
  return `${start} to ${end} of ${total}: ${bytes.toString('hex')}`
}

/**
 * Writes the archive while it arrives: a ZIP of any size needs no memory, neither here nor in the
 * service.
 */
async function archiveLine({ assets }: Api, ids: string[], folder: string): Promise<string> {
  const archive = await assets.zip({ configId, ids })
  const path = join(folder, archive.fileName)
  await writeFile(path, archive.stream())
  const { size } = await stat(path)
  return `${archive.fileName}, ${size} bytes`
}
