import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { takeSlots } from '../../engine/take-slots.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { assetIn } from '../../content/items/asset.ts'
import { mayRead } from '../../content/items/find.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import { uniquePaths } from './file-name.ts'
import { openBlob } from './stored-bytes.ts'
import type { Bytes, Entity } from '../../ports/index.ts'

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly lastModified: Date
  /** Size in bytes; absent for a text. */
  readonly size?: number
  readonly input: Bytes | string
}

/** An archive to be served. */
interface Archive {
  readonly fileName: string
  /** The files one after another, starting when the first byte is read. */
  readonly files: () => AsyncGenerator<ArchiveFile>
}

/**
 * Files as a ZIP archive, stored without compression and streamed while it is read. Errors, when
 * read: `too_many_requests` while too many others are being read.
 */
export function servedArchive(call: Call, { fileName, files }: Archive): ServedBytes {
  return new ServedBytes({
    mimeType: 'application/zip',
    fileName,
    size: null,
    etag: null,
    disposition: 'attachment',
    isImmutable: false,
    isNegotiated: false,
    // Checks for a free slot before the first byte. The slot is taken with the first byte, so that
    // a caller who leaves before holds none.
    async open() {
      takeBoth(call)()
      return archiveOf(call, files)
    },
  })
}

/**
 * A file whose source is opened with it. Leaving the archive does not close the current file's
 * source, so it is closed here.
 */
export async function* openedFile(
  bytes: Bytes,
  about: Omit<ArchiveFile, 'input'>,
): AsyncGenerator<ArchiveFile> {
  const iterator = bytes[Symbol.asyncIterator]()
  try {
    yield { ...about, input: { [Symbol.asyncIterator]: () => iterator } }
  } finally {
    await iterator.return?.()
  }
}

/** Takes a slot of the caller and one of all callers; returns a function that releases both. */
function takeBoth({ shared, identity }: Call): () => void {
  return takeSlots(shared, {
    own: [`zip ${identity.kind}:${identity.id}`, limits.zipsOfOne],
    all: ['zip', limits.zipsOfAll],
  })
}

/**
 * The bytes of the archive. A generator that was never read does nothing when it is closed, so it
 * takes all resources with its first byte.
 */
async function* archiveOf(call: Call, files: Archive['files']): AsyncGenerator<Uint8Array> {
  const release = takeBoth(call)
  try {
    const { makeZip } = await import('client-zip')
    yield* chunksOf(makeZip(files()))
  } finally {
    release()
  }
}

// Not every browser can iterate over a stream.
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

type Zip = Contract['assets']['zip']

/** One asset of an archive. */
interface Entry {
  readonly path: string
  readonly hash: string
  readonly size: number
  readonly date: number
}

// Heads read from the store at a time, and files checked at the same time. Only the entry of each
// head stays in memory.
const headsAtOnce = 100
const filesAtOnce = 64

/**
 * Assets as a ZIP archive (specification 4.6), stored without compression and streamed while it is
 * read. All files are checked before the first byte. Errors: `not_found`, naming the first id that
 * is absent, not readable or without its file; `too_large`; `too_many_requests` when read while too
 * many others are being read.
 */
export async function zipAssets(call: Call, input: ParsedOf<Zip>): Promise<OutputOf<Zip>> {
  const scope = await findScope(call, input)
  const entries = await entriesOf(call, scope, [...new Set(input.ids)])
  await requireFiles(call, entries)
  const fileName = `${scope.package?.name ?? scope.repository.name}.zip`
  return servedArchive(call, { fileName, files: () => filesOf(call, entries) })
}

/**
 * The heads of these ids, in their order. Errors: `not_found`, naming the first that is absent or
 * not readable.
 */
async function* readableHeads(call: Call, { branch }: Scope, ids: readonly string[]): AsyncGenerator<Entity> {
  for (let start = 0; start < ids.length; start += headsAtOnce) {
    const some = ids.slice(start, start + headsAtOnce)
    const found = new Map<string, Entity>()
    for (const head of await call.store.entities.getMany(branch, 'item', some)) found.set(head.id, head)
    for (const id of some) {
      const head = found.get(id)
      if (!head || !isDownloadable(call, head)) throw pathNotFound(id)
      yield head
    }
  }
}

function isDownloadable(call: Call, head: Entity): boolean {
  const { repositoryId, type } = head
  if (head.deletedDate !== null || !mayRead(call, head) || !assetIn(head.body)) return false
  return mayDo(call.identity.permissions, 'assets.download', { repositoryId, type })
}

function pathNotFound(id: string): QuireError {
  return new QuireError('not_found', `Path not found: there is no asset "${id}" that you may download.`)
}

async function entriesOf(call: Call, scope: Scope, ids: readonly string[]): Promise<Entry[]> {
  const pathOf = uniquePaths()
  const yieldToLoop = yieldingToLoop()
  const folders = folderNames(call, scope)
  const entries: Entry[] = []
  let bytes = 0
  for await (const head of readableHeads(call, scope, ids)) {
    const asset = assetIn(head.body)
    if (!asset) continue
    await yieldToLoop()
    bytes += asset.size
    entries.push({
      path: pathOf(await folders(head.parentId), asset.fileName),
      hash: asset.hash,
      size: asset.size,
      date: head.updatedDate,
    })
  }
  if (bytes > limits.zipBytes)
    throw new QuireError(
      'too_large',
      `An archive may have at most ${limits.zipBytes} bytes; these files have ${bytes}.`,
    )
  return entries
}

/** The names of a folder and all folders above it, from the top. A cycle ends where it closes. */
function folderNames(call: Call, { branch }: Scope): (id: string | null) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>()
  const namesOf = async (id: string | null): Promise<readonly string[]> => {
    if (id === null) return []
    const existing = known.get(id)
    if (existing) return existing
    known.set(id, [])
    const folder = await call.store.entities.get(branch, 'folder', id)
    const names = folder ? [...(await namesOf(folder.parentId)), folder.name] : []
    known.set(id, names)
    return names
  }
  return namesOf
}

async function requireFiles(call: Call, entries: readonly Entry[]): Promise<void> {
  const { blobs } = call.environment
  for (let start = 0; start < entries.length; start += filesAtOnce) {
    const some = entries.slice(start, start + filesAtOnce)
    const stored = await Promise.all(some.map(({ hash }) => blobs.stat(hash)))
    const missing = some.find(({ size }, index) => stored[index]?.size !== size)
    if (missing) throw new QuireError('not_found', `Path not found: the file ${missing.path} is missing.`)
  }
}

/** The files one after another. */
async function* filesOf(call: Call, entries: readonly Entry[]): AsyncGenerator<ArchiveFile> {
  for (const { path: name, hash, size, date } of entries)
    yield* openedFile(await openBlob(call, hash, { signal: call.signal }), {
      name,
      lastModified: new Date(date),
      size,
    })
}
