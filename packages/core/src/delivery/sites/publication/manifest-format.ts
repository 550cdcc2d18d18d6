import { type YieldToLoop, yieldingToLoop } from '../../../engine/event-loop.ts'
import { frontCoded, type FrontCoded, fromFrontCoded } from './compact.ts'
import type { Manifest, PublishedFile } from './manifest.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../ports/index.ts'

/**
 * A manifest as it is kept. What is said often is said once and meant by its place in a table; 10 000 pages take less than 2 MB.
 * A file is `[blob, start, size, etag, mimeType]`, and of a page after these its id and what it uses, both places in `ids`.
 */
interface StoredManifest {
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
type StoredFile = readonly [number, number, number, string, number, ...number[]]

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

/** What is no manifest. Never leaves this file. */
class NoManifest extends Error {}

/**
 * The manifest that a text is; null when it is none. All is checked: addresses become names of files in archives. Others get their turns
 * once it is parsed as JSON, which is a fifth of the work.
 */
export async function parseManifest(text: string): Promise<Manifest | null> {
  try {
    return await manifestOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof NoManifest || error instanceof SyntaxError) return null
    throw error
  }
}

async function manifestOf(value: Json): Promise<Manifest> {
  const stored = isJsonObject(value) ? value : {}
  mustHold(stored['form'] === 1)
  const addresses = addressesOf(stored['addresses'])
  const files = await filesOf(stored, addresses)
  const redirects = leadsIn(stored['redirects'], addresses)
  // Not in manifests made before that was stored.
  const away = leadsIn(stored['away'] ?? { from: [], to: [] }, textsOf(stored['ids']))
  for (const from of [...redirects.keys(), ...away.keys()]) mustHold(!files.has(from))
  return {
    form: 1,
    baseUrl: textOf(stored['baseUrl']),
    since: textOf(stored['since']),
    files,
    redirects,
    away,
  }
}

async function filesOf(
  stored: JsonObject,
  addresses: readonly string[],
): Promise<Map<string, PublishedFile>> {
  const rows = listOf(stored['files'])
  mustHold(rows.length === addresses.length)
  const fileOf = fileReader(stored)
  const modified = parsedModified(stored['modified'])
  const yieldToLoop = yieldingToLoop()
  const files = new Map<string, PublishedFile>()
  for (const [index, address] of addresses.entries()) {
    await yieldToLoop()
    files.set(address, dated(fileOf(listOf(rows[index])), modified(index)))
  }
  // Two of one address would leave one.
  mustHold(files.size === addresses.length)
  return files
}

/** Reads a file as `StoredFile` says. */
function fileReader(stored: JsonObject): (row: readonly Json[]) => PublishedFile {
  const blobs = listOf(stored['blobs']).map(blobOf)
  const mimeTypes = listOf(stored['mimeTypes']).map(textOf)
  const ids = textsOf(stored['ids'])
  return (row) => {
    const [at, from, length, tag, mimeTypeAt, pageAt, ...uses] = row
    const { blob, blobSize } = entry(blobs, at)
    const [start, size, etag] = [countOf(from), countOf(length), hashOf(tag)]
    mustHold(start + size <= blobSize)
    const file = { blob, blobSize, start, size, etag, mimeType: entry(mimeTypes, mimeTypeAt) }
    if (pageAt === undefined) return file
    return { ...file, page: { id: entry(ids, pageAt), uses: uses.map((use) => entry(ids, use)) } }
  }
}

/** Unix seconds; ECMA-262 has no later date (21.4.1.1). */
const latestDate = 8.64e12

/** When what each file shows last changed, by its place: undefined where that was not kept. */
function parsedModified(value: Json | undefined): (scope: number) => number | undefined {
  if (value === undefined) return () => undefined
  const stored = isJsonObject(value) ? value : {}
  const [before, after] = [countOf(stored['before']), listOf(stored['after'])]
  return (scope) => {
    const seconds = countOf(after[scope])
    mustHold(seconds === 0 || before + seconds <= latestDate)
    return seconds === 0 ? undefined : before + seconds
  }
}

function dated(file: PublishedFile, lastModified: number | undefined): PublishedFile {
  return file.page && lastModified !== undefined ? { ...file, page: { ...file.page, lastModified } } : file
}

function blobOf(value: Json): { blob: string; blobSize: number } {
  const [hash, size] = listOf(value)
  return { blob: hashOf(hash), blobSize: countOf(size) }
}

/** From addresses to entries of a table. */
function leadsIn(value: Json | undefined, table: readonly string[]): Map<string, string> {
  const stored = value !== undefined && isJsonObject(value) ? value : {}
  const from = addressesOf(stored['from'])
  const to = listOf(stored['to'])
  mustHold(from.length === to.length)
  return new Map(from.map((address, index) => [address, entry(table, to[index])]))
}

/** Addresses name places within the site and none above it. */
function addressesOf(value: Json | undefined): string[] {
  const addresses = textsOf(value)
  mustHold(addresses.every((address) => address === '' || !outsideAddress.test(address)))
  return addresses
}

// A part that is empty, `.` or `..`; a backslash; a control character.
const outsideAddress = /(?:^|\/)\.{0,2}(?:\/|$)|[\\\p{Cc}]/u

function entry<T>(table: readonly T[], scope: Json | undefined): T {
  const found = table[countOf(scope)]
  if (found === undefined) throw new NoManifest()
  return found
}

function textsOf(value: Json | undefined): string[] {
  const texts = fromFrontCoded(listOf(value))
  if (!texts) throw new NoManifest()
  return texts
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new NoManifest()
  return value
}

function textOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw new NoManifest()
  return value
}

function hashOf(value: Json | undefined): string {
  const hash = textOf(value)
  mustHold(/^[0-9a-f]{64}$/.test(hash))
  return hash
}

function countOf(value: Json | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new NoManifest()
  return value
}

function mustHold(holds: boolean): void {
  if (!holds) throw new NoManifest()
}
