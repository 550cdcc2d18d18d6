import type { Api, Binary, Item } from '@quire/contract'
import { specimens, type Specimen } from '../../media/specimens.ts'
import { prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

/**
 * Prepares the magazine with types of files: `picture`; `document` for PDF, HTML and texts of at
 * most 2 000 bytes; `clip` and `film`, which both accept MP4. Also creates an empty repository
 * `elsewhere`.
 */
export async function prepareFiles(api: Api): Promise<void> {
  await prepareMagazine(api)
  await api.repositories.create({ name: 'elsewhere' })
  const types = {
    picture: { mimeTypes: ['image/*'] },
    document: { mimeTypes: ['application/pdf', 'text/*'], maxBytes: 2000 },
    clip: { mimeTypes: ['video/*'] },
    film: { mimeTypes: ['video/mp4'] },
  }
  for (const [name, settings] of Object.entries(types))
    await api.types.create({
      name,
      settings: { isAsset: true, ...settings },
      fields: [{ name: 'alt', kind: 'text', settings: { maxLength: 100 } }],
    })
}

/** A specimen as a file with this name. */
export async function fileOf(specimen: Specimen, name: string, type?: string): Promise<File> {
  return new File([Uint8Array.from(await specimens[specimen]())], name, type === undefined ? {} : { type })
}

/** A text as a file with this name. */
export function textFile(text: string, name = 'text.txt'): File {
  return new File([text], name)
}

/** All bytes of an answer. */
export async function bytesOf(answer: Promise<Binary>): Promise<Uint8Array> {
  return new Uint8Array(await (await answer).bytes())
}

/** The text of an answer. */
export async function textOf(answer: Promise<Binary>): Promise<string> {
  return new TextDecoder().decode(await bytesOf(answer))
}

/** The SHA-256 of bytes in hexadecimal. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Creates pictures in the magazine, by default with four quarters. */
export function picturesIn(bench: () => Bench) {
  return async (name: string, specimen: Specimen = 'png'): Promise<Item> =>
    bench().api.assets.create({ configId: 'magazine', name, file: await fileOf(specimen, `${name}.bin`) })
}

/** Identifies an asset on main, for the operations of assets and of items. */
export function scopeOf({ id }: Pick<Item, 'id'>) {
  return { asset: { configId: 'magazine', assetId: id }, item: { configId: 'magazine', id } }
}

/** The journal events of an item, oldest first. */
export async function eventsOf({ scope }: Bench, entityId: string): Promise<string[]> {
  const rows = await scope.store.journal.read({ after: 0, limit: 1000, entityId })
  return rows.map(({ event }) => event)
}
