import { type YieldToLoop, yieldingToLoop } from '../../../engine/event-loop.ts'
import { toFrontCoded, type FrontCoded, fromFrontCoded } from './compact.ts'
import { pageKey, pageOfKey, type Manifest, type PublishedFile } from './manifest.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../ports/index.ts'

/**
 * The stored form of a manifest. Repeated values are stored once, in tables, and referred to by
 * index: 10 000 pages take less than 2 MB. A file is `[blob, start, size, etag, mimeType]`. For a
 * page, its key and the ids it uses follow, as indexes in `ids`.
 */
interface StoredManifest {
  readonly form: 1
  readonly baseUrl: string
  readonly since: string
  /** Hash and size of each blob. */
  readonly blobs: readonly (readonly [string, number])[]
  readonly mimeTypes: readonly string[]
  readonly ids: FrontCoded
  readonly addresses: FrontCoded
  /** In the order of `addresses`. */
  readonly files: readonly StoredFile[]
  readonly redirects: {
    readonly from: FrontCoded
    /** Indexes in `addresses`. */
    readonly to: readonly number[]
  }
  /** Absent in manifests that are older than this member. */
  readonly away?: {
    readonly from: FrontCoded
    /** Indexes in `ids`. */
    readonly to: readonly number[]
  }
  /**
   * When the content of pages last changed, in seconds after `before`, which is in Unix seconds; 0
   * for unknown. In the order of `files`. Absent in manifests that are older than this member.
   */
  readonly modified?: {
    readonly before: number
    readonly after: readonly number[]
  }
}

/** The stored form of a file. */
type StoredFile = readonly [number, number, number, string, number, ...number[]]

/**
 * Serializes a manifest, sorted, so that equal manifests have equal texts. Yields to the event loop
 * meanwhile.
 */
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
    ids: toFrontCoded(tables.ids),
    addresses: toFrontCoded(addresses),
    files: await rowsOf(files, tables, yieldToLoop),
    redirects: {
      from: toFrontCoded(from),
      to: from.map((address) => positionOf(manifest.redirects.get(address) ?? '')),
    },
    away: { from: toFrontCoded(left), to: left.map((address) => idAt(manifest.away.get(address) ?? '')) },
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
    ids.add(pageKey(page))
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
    const used = page ? [idAt(pageKey(page)), ...inOrder(page.uses, idAt)] : []
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

/** Creates a function that gives the index of a text in a table. It throws for an unknown text. */
function positionsIn(table: readonly string[]): (text: string) => number {
  const positions = new Map(table.map((text, position) => [text, position]))
  return (text) => {
    const position = positions.get(text)
    if (position === undefined) throw new Error(`"${text}" is not in this publication.`)
    return position
  }
}

/** The value is not a manifest. Never leaves this file. */
class NotAManifest extends Error {}

/**
 * Parses a manifest; null when the text is not one. Checks everything, because addresses become
 * file names in archives. Yields to the event loop, except while the JSON is parsed, a fifth of the
 * work.
 */
export async function parseManifest(text: string): Promise<Manifest | null> {
  try {
    return await manifestOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof NotAManifest || error instanceof SyntaxError) return null
    throw error
  }
}

async function manifestOf(value: Json): Promise<Manifest> {
  const stored = isJsonObject(value) ? value : {}
  mustHold(stored['form'] === 1)
  const addresses = addressesOf(stored['addresses'])
  const files = await filesOf(stored, addresses)
  const redirects = readTargets(stored['redirects'], addresses)
  // Older manifests do not have this member.
  const away = readTargets(stored['away'] ?? { from: [], to: [] }, textsOf(stored['ids']))
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
  const modified = parseModified(stored['modified'])
  const yieldToLoop = yieldingToLoop()
  const files = new Map<string, PublishedFile>()
  for (const [index, address] of addresses.entries()) {
    await yieldToLoop()
    files.set(address, withDate(fileOf(listOf(rows[index])), modified(index)))
  }
  // Duplicate addresses would leave fewer files.
  mustHold(files.size === addresses.length)
  return files
}

/** Creates a function that reads a file from its stored form. */
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
    return { ...file, page: { ...pageOfKey(entry(ids, pageAt)), uses: uses.map((use) => entry(ids, use)) } }
  }
}

/** The latest date of ECMA-262 (21.4.1.1), in Unix seconds. */
const latestDate = 8.64e12

/**
 * Creates a function that gives when a file's content last changed, by index; undefined when
 * unknown.
 */
function parseModified(value: Json | undefined): (index: number) => number | undefined {
  if (value === undefined) return () => undefined
  const stored = isJsonObject(value) ? value : {}
  const [before, after] = [countOf(stored['before']), listOf(stored['after'])]
  return (index) => {
    const seconds = countOf(after[index])
    mustHold(seconds === 0 || before + seconds <= latestDate)
    return seconds === 0 ? undefined : before + seconds
  }
}

function withDate(file: PublishedFile, lastModified: number | undefined): PublishedFile {
  return file.page && lastModified !== undefined ? { ...file, page: { ...file.page, lastModified } } : file
}

function blobOf(value: Json): { blob: string; blobSize: number } {
  const [hash, size] = listOf(value)
  return { blob: hashOf(hash), blobSize: countOf(size) }
}

/** Reads a map from addresses to entries of a table. */
function readTargets(value: Json | undefined, table: readonly string[]): Map<string, string> {
  const stored = value !== undefined && isJsonObject(value) ? value : {}
  const from = addressesOf(stored['from'])
  const to = listOf(stored['to'])
  mustHold(from.length === to.length)
  return new Map(from.map((address, index) => [address, entry(table, to[index])]))
}

/** Reads addresses and rejects those that lead out of the site. */
function addressesOf(value: Json | undefined): string[] {
  const addresses = textsOf(value)
  mustHold(addresses.every((address) => address === '' || !outsideAddress.test(address)))
  return addresses
}

// Matches a segment that is empty, `.` or `..`, a backslash, and a control character.
const outsideAddress = /(?:^|\/)\.{0,2}(?:\/|$)|[\\\p{Cc}]/u

function entry<T>(table: readonly T[], index: Json | undefined): T {
  const found = table[countOf(index)]
  if (found === undefined) throw new NotAManifest()
  return found
}

function textsOf(value: Json | undefined): string[] {
  const texts = fromFrontCoded(listOf(value))
  if (!texts) throw new NotAManifest()
  return texts
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new NotAManifest()
  return value
}

function textOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw new NotAManifest()
  return value
}

function hashOf(value: Json | undefined): string {
  const hash = textOf(value)
  mustHold(/^[0-9a-f]{64}$/.test(hash))
  return hash
}

function countOf(value: Json | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new NotAManifest()
  return value
}

function mustHold(holds: boolean): void {
  if (!holds) throw new NotAManifest()
}
