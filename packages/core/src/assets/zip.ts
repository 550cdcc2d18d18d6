import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { mayDo } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import { takePlaces } from '../call/take-places.ts'
import { ServedBytes } from '../call/served-bytes.ts'
import { takingTurns } from '../call/turns.ts'
import { assetIn } from '../items/asset.ts'
import { mayRead } from '../items/find.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Bytes, Entity } from '../ports/index.ts'
import { chunksOf } from './archive.ts'
import { uniquePaths } from './file-name.ts'
import { openBlob } from './kept-bytes.ts'

type Zip = Contract['assets']['zip']

/** A file of an archive. */
interface Entry {
  readonly path: string
  readonly hash: string
  readonly size: number
  readonly date: number
}

// Heads that a store gives at once, and files that are looked for at the same time. Nothing but an entry is kept of a head.
const headsAtOnce = 100
const filesAtOnce = 64

/**
 * Assets as one ZIP archive (specification 4.6): stored as they are, streamed while it is read. All is looked for before the first byte.
 * Errors: `not_found` naming the first id that is absent, not readable or without its file; `too_large`; `too_many_requests` when read
 * while too many others are.
 */
export async function zipAssets(call: Call, input: ParsedOf<Zip>): Promise<OutputOf<Zip>> {
  const place = await findPlace(call, input)
  const entries = await entriesOf(call, place, [...new Set(input.ids)])
  await requireFiles(call, entries)
  return new ServedBytes({
    mimeType: 'application/zip',
    fileName: `${place.package?.name ?? place.repository.name}.zip`,
    size: null,
    etag: null,
    disposition: 'attachment',
    isImmutable: false,
    isNegotiated: false,
    open: () => openArchive(call, entries),
  })
}

/** The heads of these ids, in their order. Errors: `not_found` naming the first that is absent or not readable. */
async function* readableHeads(call: Call, { line }: Place, ids: readonly string[]): AsyncGenerator<Entity> {
  for (let start = 0; start < ids.length; start += headsAtOnce) {
    const some = ids.slice(start, start + headsAtOnce)
    const found = new Map<string, Entity>()
    for (const head of await call.store.entities.getMany(line, 'item', some)) found.set(head.id, head)
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

async function entriesOf(call: Call, place: Place, ids: readonly string[]): Promise<Entry[]> {
  const pathOf = uniquePaths()
  const takeTurns = takingTurns()
  const folders = folderNames(call, place)
  const entries: Entry[] = []
  let bytes = 0
  for await (const head of readableHeads(call, place, ids)) {
    const asset = assetIn(head.body)
    if (!asset) continue
    await takeTurns()
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
      `An archive holds at most ${limits.zipBytes} bytes, these are ${bytes}.`,
    )
  return entries
}

/** The names of a folder and all above it, from the top. A circle ends where it closes. */
function folderNames(call: Call, { line }: Place): (id: string | null) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>()
  const namesOf = async (id: string | null): Promise<readonly string[]> => {
    if (id === null) return []
    const present = known.get(id)
    if (present) return present
    known.set(id, [])
    const folder = await call.store.entities.get(line, 'folder', id)
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
    const kept = await Promise.all(some.map(({ hash }) => blobs.stat(hash)))
    const missing = some.find(({ size }, index) => kept[index]?.size !== size)
    if (missing) throw new QuireError('not_found', `Path not found: the file ${missing.path} is missing.`)
  }
}

/** Whether there is a place is known before the first byte; it is taken with that, so that who leaves before holds none. */
async function openArchive(call: Call, entries: readonly Entry[]): Promise<Bytes> {
  const release = takeBoth(call)
  release()
  return archiveOf(call, entries)
}

/** Takes a place of the caller's and one of all; the answer gives both back. */
function takeBoth({ shared, identity }: Call): () => void {
  return takePlaces(shared, {
    own: [`zip ${identity.kind}:${identity.id}`, limits.zipsOfOne],
    all: ['zip', limits.zipsOfAll],
  })
}

/** The archive. A generator that was never read does nothing when it is left: all that it holds it takes with its first byte. */
async function* archiveOf(call: Call, entries: readonly Entry[]): AsyncGenerator<Uint8Array> {
  const release = takeBoth(call)
  try {
    yield* chunksOf(await makeArchive(call, entries))
  } finally {
    release()
  }
}

async function makeArchive(call: Call, entries: readonly Entry[]): Promise<ReadableStream<Uint8Array>> {
  const { makeZip } = await import('client-zip')
  return makeZip(filesOf(call, entries))
}

/** The files one after another. Who leaves the archive leaves this, and nobody the file that it stands at: it is closed here. */
async function* filesOf(call: Call, entries: readonly Entry[]) {
  for (const { path, hash, size, date } of entries) {
    const bytes = (await openBlob(call, hash))[Symbol.asyncIterator]()
    try {
      const input = { [Symbol.asyncIterator]: () => bytes }
      yield { name: path, lastModified: new Date(date), size, input }
    } finally {
      await bytes.return?.()
    }
  }
}
