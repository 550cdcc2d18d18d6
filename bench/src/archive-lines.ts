import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemIdentity } from '@quire/core'
import type { Blobs, StoredBlob } from '@quire/core/ports'
import type { ArchiveRead, ArchiveRequest } from './archive-reader.ts'
import { addAsset, fillForFiles, openWithFiles, roomIn } from './asset-data.ts'
import { beside, memoryFigure, readsLine, type Beside } from './beside.ts'
import { askChild } from './ask-child.ts'
import { singleFigure, type Figure } from './compare.ts'
import { startQuire, stopServer, type Running } from './servers.ts'

/** The size of the archive that is measured. */
export interface ArchiveEffort {
  readonly entries: number
  readonly entryBytes: number
}

/**
 * A ZIP archive of many files: time to the first byte, throughput, memory, and the effect on other
 * readers.
 */
export async function archiveLines(
  folder: string,
  { archive, durationMs }: { archive: ArchiveEffort; durationMs: number },
): Promise<Figure[]> {
  const { data, ids } = await fillArchive(folder, archive)
  const server = await startQuire(data)
  try {
    const seen = await beside(server, durationMs, () => readArchive(server, ids))
    return branchesOf(archive, seen, await checkArchive(server, ids, join(folder, 'archive.zip')))
  } finally {
    await stopServer(server)
    rmSync(data, { recursive: true })
  }
}

/**
 * The number of blobs that the entries share. It is small, so that they fit on the disk and the
 * setup takes seconds.
 */
const blobsStored = 64

async function fillArchive(folder: string, { entries, entryBytes }: ArchiveEffort) {
  const data = await fillForFiles(folder, 'archive')
  const stored: StoredBlob[] = []
  const quire = await openWithFiles(data, { blobs: (blobs) => ({ ...blobs, put: sharing(blobs, stored) }) })
  const api = quire.as(systemIdentity('bench'))
  const ids: string[] = []
  for (let start = 0; start < entries; start += 50) {
    const batch = Array.from({ length: Math.min(50, entries - start) }, (_, index) => start + index)
    // Random bytes in the first batches, until enough blobs are stored.
    const contents = batch.map(() =>
      stored.length < blobsStored ? randomBytes(entryBytes) : new Uint8Array(),
    )
    ids.push(
      ...(await Promise.all(
        batch.map((entry, index) => addAsset(api, `part-${entry}.bin`, contents[index] ?? new Uint8Array())),
      )),
    )
  }
  await quire.close()
  return { data, ids }
}

/**
 * Wraps `put`. Content is stored as usual. For empty content, one of the stored blobs is returned
 * instead, in rotation.
 */
function sharing(blobs: Blobs, stored: StoredBlob[]): Blobs['put'] {
  let next = 0
  return async (bytes) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    const shared = stored[next++ % stored.length]
    if (Buffer.concat(chunks).length === 0 && shared) return shared
    const blob = await blobs.put(again(chunks))
    stored.push(blob)
    return blob
  }
}

async function* again(chunks: readonly Uint8Array[]) {
  yield* chunks
}

/** Downloads an archive in a separate process. */
function readArchive(server: Running, ids: readonly string[], file?: string): Promise<ArchiveRead> {
  const { port, token } = server
  const wanted: ArchiveRequest = { port, token, ids, ...(file !== undefined && { file }) }
  return askChild('./archive-reader.ts', wanted)
}

/** An archive that was downloaded without other readers, and the verdict of `unzip`. */
interface Checked {
  readonly read: ArchiveRead
  readonly reported: string
}

/**
 * Downloads an archive without other readers, and checks it with `unzip` if there is enough disk
 * space. Errors: whatever `unzip` reports.
 */
async function checkArchive(server: Running, ids: readonly string[], file: string): Promise<Checked> {
  const size = ids.length * (await sizeOf(server, ids[0] ?? ''))
  if (size > (await roomIn(join(file, '..'))))
    return { read: await readArchive(server, ids), reported: 'not checked with unzip: not enough disk space' }
  try {
    const read = await readArchive(server, ids, file)
    await promisify(execFile)('unzip', ['-tqq', file])
    return { read, reported: 'unzip -t reports no error' }
  } finally {
    rmSync(file, { force: true })
  }
}

async function sizeOf({ port, token }: Running, id: string): Promise<number> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/api/assets/bench/${id}/original`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  })
  return Number(headers.get('content-length'))
}

function branchesOf(
  { entries, entryBytes }: ArchiveEffort,
  seen: Beside<ArchiveRead>,
  checked: Checked,
): Figure[] {
  const { firstMs, bytes } = seen.result
  const { read, reported } = checked
  if (bytes < entries * entryBytes) throw new Error(`the archive has only ${bytes} bytes`)
  const what = `ZIP of ${entries} files, ${(bytes / 1024 ** 3).toFixed(1)} GiB`
  return [
    singleFigure({
      what: `${what}: first byte`,
      value: firstMs / 1000,
      unit: 's',
      target: 1,
      bound: 'atMost',
      detail: 'from sending the request',
    }),
    singleFigure({
      what: `${what}: rate`,
      value: read.bytes / 1e6 / read.seconds,
      unit: 'MB/s',
      target: 100,
      bound: 'atLeast',
      detail: `without other readers, to a file; ${reported}; ${(bytes / 1e6 / seen.result.seconds).toFixed(0)} MB/s with other readers`,
    }),
    memoryFigure(`${what}: memory`, seen, 100),
    readsLine('p99 of reads while a ZIP is sent, relative to idle', seen),
  ]
}
