import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemIdentity } from '@quire/core'
import type { Blobs, StoredBlob } from '@quire/core/ports'
import type { ArchiveRead, ArchiveRequest } from './archive-reader.ts'
import { addAsset, fillForFiles, openWithFiles, roomIn } from './asset-data.ts'
import { beside, memoryBranchOf, readsLine, type Beside } from './beside.ts'
import { askChild } from './ask-child.ts'
import { branchOfOne, type Figure } from './compare.ts'
import { startQuire, stopServer, type Running } from './servers.ts'

/** How large an archive is measured. */
export interface ArchiveEffort {
  readonly entries: number
  readonly entryBytes: number
}

/** An archive of many files: how soon and how fast it comes, what it takes, and what it does to others who read. */
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

/** Blobs that the entries share: few, so that the disk is not full of them and setting up takes seconds. */
const blobsStored = 64

async function fillArchive(folder: string, { entries, entryBytes }: ArchiveEffort) {
  const data = await fillForFiles(folder, 'archive')
  const stored: StoredBlob[] = []
  const quire = await openWithFiles(data, { blobs: (blobs) => ({ ...blobs, put: sharing(blobs, stored) }) })
  const api = quire.as(systemIdentity('bench'))
  const ids: string[] = []
  for (let start = 0; start < entries; start += 50) {
    const batch = Array.from({ length: Math.min(50, entries - start) }, (_, index) => start + index)
    // One after the other until the blobs are there.
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

/** Keeps bytes as ever; of nothing at all it says that it was one of those that are kept, in turn. */
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

/** Takes an archive in, in a process of its own. */
function readArchive(server: Running, ids: readonly string[], file?: string): Promise<ArchiveRead> {
  const { port, token } = server
  const wanted: ArchiveRequest = { port, token, ids, ...(file !== undefined && { file }) }
  return askChild('./archive-reader.ts', wanted)
}

/** An archive that nobody reads beside, and what `unzip` says of it. */
interface Checked {
  readonly read: ArchiveRead
  readonly reported: string
}

/** Takes an archive in alone, and has `unzip` check it where there is room for it. Errors: what it finds. */
async function checkArchive(server: Running, ids: readonly string[], file: string): Promise<Checked> {
  const size = ids.length * (await sizeOf(server, ids[0] ?? ''))
  if (size > (await roomIn(join(file, '..'))))
    return { read: await readArchive(server, ids), reported: 'not unzipped: no room' }
  try {
    const read = await readArchive(server, ids, file)
    await promisify(execFile)('unzip', ['-tqq', file])
    return { read, reported: 'unzip -t finds no error' }
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
  if (bytes < entries * entryBytes) throw new Error(`the archive has ${bytes} bytes only`)
  const what = `ZIP of ${entries} files, ${(bytes / 1024 ** 3).toFixed(1)} GiB`
  return [
    branchOfOne({
      what: `${what}: first byte`,
      value: firstMs / 1000,
      unit: 's',
      target: 1,
      bound: 'atMost',
      detail: 'from the request on',
    }),
    branchOfOne({
      what: `${what}: rate`,
      value: read.bytes / 1e6 / read.seconds,
      unit: 'MB/s',
      target: 100,
      bound: 'atLeast',
      detail: `alone, into a file; ${reported}; ${(bytes / 1e6 / seen.result.seconds).toFixed(0)} MB/s while others read`,
    }),
    memoryBranchOf(`${what}: memory`, seen, 100),
    readsLine('reads while it is sent, p99 of that alone', seen),
  ]
}
