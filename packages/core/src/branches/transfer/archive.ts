import { limits, QuireError } from '@quire/contract'
import type { FileEntry } from '@zip.js/zip.js'
import type { Call } from '../../engine/call.ts'
import { collect } from '../../engine/paging.ts'
import { openBlob } from '../../files/assets/stored-bytes.ts'
import type { Bytes, StoredBlob } from '../../ports/index.ts'
import { shardName } from './shards.ts'

/** A member of an archive. */
interface Member {
  /** Bytes without compression. */
  readonly size: number
  readonly read: () => Bytes
}

/** A stored ZIP archive whose members can be read in any order. */
export interface Archive {
  readonly hash: string
  /** By name. */
  readonly members: ReadonlyMap<string, Member>
}

/** A line of a member, with its number from 1. */
export interface ArchiveLine {
  /** `content/item-0001.ndjson:12` */
  readonly at: string
  readonly text: string
}

/** Opens a stored archive. Errors: `invalid` if it is not a ZIP archive, or not a safe one. */
export async function openArchive(call: Call, blob: StoredBlob): Promise<Archive> {
  const zip = await import('@zip.js/zip.js/lib/zip-core-native.js')
  zip.configure({ useWebWorkers: false, chunkSize: bytesInChunk })
  class StoredReader extends zip.Reader<StoredBlob> {
    override size = blob.size
    override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
      const end = Math.min(index + length, blob.size) - 1
      return end < index
        ? new Uint8Array()
        : collect(await openBlob(call, blob.hash, { range: { start: index, end } }))
    }
  }
  const members = new Map<string, Member>()
  try {
    for await (const entry of new zip.ZipReader(new StoredReader(blob), {
      useWebWorkers: false,
    }).getEntriesGenerator()) {
      if (entry.directory) continue
      requireSafe(members, entry)
      members.set(entry.filename, { size: entry.uncompressedSize, read: () => bytesOf(entry) })
    }
  } catch (error) {
    if (error instanceof QuireError) throw error
    throw badFile('it is not a ZIP archive, or it was cut off', error)
  }
  return { hash: blob.hash, members }
}

// Bytes read from the stored archive at a time. With 128 KiB, an import of many files takes up to 50 MB
// more memory: each chunk is a buffer that waits to be freed.
const bytesInChunk = 64 * 1024

// Bytes of a member that is read as a whole.
const wholeMember = 1024 ** 2

// Members of an archive: as many files as a repository of a million assets has, and some.
const mostMembers = 1_100_000

function requireSafe(members: ReadonlyMap<string, Member>, { filename, encrypted }: FileEntry): void {
  if (encrypted) throw badFile(`${filename} is encrypted`)
  if (members.has(filename)) throw badFile(`it contains ${filename} twice`)
  if (members.size >= mostMembers) throw badFile(`it has more than ${mostMembers} members`)
  if (/^[/\\]|^[A-Za-z]:|\\|(^|\/)\.\.?(\/|$)/.test(filename))
    throw badFile(`"${filename}" is not a safe name`)
}

/** The error for a file that cannot be imported at all. */
export function badFile(why: string, cause?: unknown): QuireError {
  return new QuireError('invalid', `This file cannot be imported: ${why}.`, {
    issues: [{ path: 'file', message: why }],
    ...(cause !== undefined && { cause }),
  })
}

/** The bytes of a member, whose checksum is verified at the end. */
async function* bytesOf(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const written = entry.getData(writable, { checkSignature: true })
  // A failure also ends the reading side, where it is thrown.
  written.catch(() => undefined)
  const reader = readable.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    await written
  } catch (error) {
    throw badFile(`${entry.filename} is damaged`, error)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

// Characters of a line: an item has at most 5 MiB as JSON, and the file has it twice if an older
// version is published.
const longestLine = 3 * limits.itemBodyBytes

// Lines of a member: ten times as many as an export writes. An archive that unpacks to more is a bomb.
const mostLines = 100_000

/** The lines of the shards of a member: `content/item` has `content/item-0001.ndjson` and so on. */
export async function* linesOf({ members }: Archive, name: string): AsyncGenerator<ArchiveLine> {
  for (let number = 1; ; number++) {
    const shard = shardName(name, number)
    const member = members.get(shard)
    if (!member) return
    let count = 0
    for await (const text of textLines(member.read(), shard)) {
      if (++count > mostLines) throw badFile(`${shard} has more than ${mostLines} lines`)
      yield { at: `${shard}:${count}`, text }
    }
  }
}

async function* textLines(bytes: Bytes, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoded(decoder, chunk, name)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw badFile(`${name} has a line of more than ${longestLine} characters`)
    yield* lines
  }
  if (rest !== '') yield rest
}

function decoded(decoder: TextDecoder, chunk: Uint8Array, name: string): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch (error) {
    throw badFile(`${name} is not UTF-8`, error)
  }
}

/** The text of a small member; null if there is none. Errors: `invalid` if it is large. */
export async function textOf({ members }: Archive, name: string): Promise<string | null> {
  const member = members.get(name)
  if (!member) return null
  if (member.size > wholeMember) throw badFile(`${name} has more than ${wholeMember} bytes`)
  let text = ''
  for await (const line of textLines(member.read(), name)) text += `${line}\n`
  return text
}
