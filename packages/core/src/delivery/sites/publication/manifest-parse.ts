import { yieldingToLoop } from '../../../engine/event-loop.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../ports/index.ts'
import { fromFrontCoded } from './front-coded.ts'
import type { Manifest, PublishedFile } from './manifest.ts'

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
  const modified = modifiedOf(stored['modified'])
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
function modifiedOf(value: Json | undefined): (scope: number) => number | undefined {
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
