import { type YieldToLoop, yieldingToLoop } from '../../../engine/event-loop.ts'
import { frontCoded, type FrontCoded } from './front-coded.ts'
import type { Manifest, PublishedFile } from './manifest.ts'

/**
 * A manifest as it is kept. What is said often is said once and meant by its place in a table; 10 000 pages take less than 2 MB.
 * A file is `[blob, start, size, etag, mimeType]`, and of a page after these its id and what it uses, both places in `ids`.
 */
export interface StoredManifest {
  readonly form: 1
  readonly baseUrl: string
  readonly since: string
  /** Hash and size of each. */
  readonly blobs: readonly (readonly [string, number])[]
  readonly mimeTypes: readonly string[]
  readonly ids: FrontCoded
  readonly addresses: FrontCoded
  /** In the order of `addresses`. */
  readonly files: readonly StoredFile[]
  readonly redirects: {
    readonly from: FrontCoded
    /** Places in `addresses`. */
    readonly to: readonly number[]
  }
  /** Manifests made before that was stored have none. */
  readonly away?: {
    readonly from: FrontCoded
    /** Places in `ids`. */
    readonly to: readonly number[]
  }
  /** When what pages show last changed, in seconds after `before`, which is in Unix seconds; 0: not known. In the order of `files`; as `away`. */
  readonly modified?: {
    readonly before: number
    readonly after: readonly number[]
  }
}

/** A file as it is kept. */
export type StoredFile = readonly [number, number, number, string, number, ...number[]]

/** The text of a manifest: sorted, so that equal manifests are equal texts. Others get their turns while it is made. */
export async function manifestText(manifest: Manifest): Promise<string> {
  const yieldToLoop = yieldingToLoop()
  const addresses = [...manifest.files.keys()].sort()
  const files = addresses.flatMap((address) => manifest.files.get(address) ?? [])
  const tables = await tablesOf({ files, away: manifest.away }, yieldToLoop)
  const from = [...manifest.redirects.keys()].sort()
  const left = [...manifest.away.keys()].sort()
  const positionOf = positionsIn(addresses)
  const idAt = positionsIn(tables.ids)
  const stored: StoredManifest = {
    form: 1,
    baseUrl: manifest.baseUrl,
    since: manifest.since,
    blobs: tables.blobs.map((hash) => [hash, tables.sizes.get(hash) ?? 0]),
    mimeTypes: tables.mimeTypes,
    ids: frontCoded(tables.ids),
    addresses: frontCoded(addresses),
    files: await rowsOf(files, tables, yieldToLoop),
    redirects: {
      from: frontCoded(from),
      to: from.map((address) => positionOf(manifest.redirects.get(address) ?? '')),
    },
    away: { from: frontCoded(left), to: left.map((address) => idAt(manifest.away.get(address) ?? '')) },
    modified: modifiedOf(files),
  }
  return JSON.stringify(stored)
}

interface Tables {
  readonly blobs: readonly string[]
  readonly sizes: ReadonlyMap<string, number>
  readonly mimeTypes: readonly string[]
  readonly ids: readonly string[]
}

async function tablesOf(
  { files, away }: Pick<Manifest, 'away'> & { readonly files: readonly PublishedFile[] },
  yieldToLoop: YieldToLoop,
): Promise<Tables> {
  const sizes = new Map<string, number>()
  const mimeTypes = new Set<string>()
  const ids = new Set(away.values())
  for (const { blob, blobSize, mimeType, page } of files) {
    await yieldToLoop()
    sizes.set(blob, blobSize)
    mimeTypes.add(mimeType)
    if (!page) continue
    ids.add(page.id)
    for (const used of page.uses) ids.add(used)
  }
  return { blobs: [...sizes.keys()].sort(), sizes, mimeTypes: [...mimeTypes].sort(), ids: [...ids].sort() }
}

async function rowsOf(
  files: readonly PublishedFile[],
  { blobs, mimeTypes, ids }: Tables,
  yieldToLoop: YieldToLoop,
): Promise<StoredFile[]> {
  const [blobAt, mimeTypeAt, idAt] = [positionsIn(blobs), positionsIn(mimeTypes), positionsIn(ids)]
  const rows: StoredFile[] = []
  for (const { blob, start, size, etag, mimeType, page } of files) {
    await yieldToLoop()
    const used = page ? [idAt(page.id), ...inOrder(page.uses, idAt)] : []
    rows.push([blobAt(blob), start, size, etag, mimeTypeAt(mimeType), ...used])
  }
  return rows
}

function modifiedOf(files: readonly PublishedFile[]): NonNullable<StoredManifest['modified']> {
  const dates = files.map(({ page }) => page?.lastModified)
  const known = dates.filter((date) => date !== undefined)
  const first = known.reduce((least, date) => Math.min(least, date), known[0] ?? 0)
  const before = Math.max(0, first - 1)
  return { before, after: dates.map((date = before) => date - before) }
}

function inOrder(ids: readonly string[], positionOf: (id: string) => number): number[] {
  return Array.from(new Set(ids), positionOf).sort((a, b) => a - b)
}

/** Gives the place of a text in a table. Throws for one that is not there: a redirect leads to a file of its manifest. */
function positionsIn(table: readonly string[]): (text: string) => number {
  const positions = new Map(table.map((text, position) => [text, position]))
  return (text) => {
    const position = positions.get(text)
    if (position === undefined) throw new Error(`"${text}" is no address of a file of this publication.`)
    return position
  }
}
