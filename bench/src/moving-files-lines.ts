import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createClient } from '@quire/client'
import type { ImportPlan } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import { addAsset, fillForFiles, openWithFiles } from './asset-data.ts'
import { beside, memoryFigure, readsLine } from './beside.ts'
import type { Figure } from './compare.ts'
import { startQuire, stopServer, type Running } from './servers.ts'

/** The files that are moved. */
export interface MovedFiles {
  readonly count: number
  readonly bytes: number
}

/** What moving many files from one service to another costs each of them, over HTTP. */
export async function movingFilesLines(
  folder: string,
  { files, durationMs }: { files: MovedFiles; durationMs: number },
): Promise<Figure[]> {
  const file = join(folder, 'moved.zip')
  const gigabytes = `${((files.count * files.bytes) / 1024 ** 3).toFixed(1)} GiB`
  const source = await filled(folder, files)
  const exported = await onServer(source, (server) =>
    beside(server, durationMs, () => download(server, file)),
  )
  await rm(source, { recursive: true })
  const target = await fillForFiles(folder, 'moved-to')
  const imported = await onServer(target, (server) => beside(server, durationMs, () => upload(server, file)))
  await Promise.all([rm(file), rm(target, { recursive: true })])
  if (imported.result.counts.create !== files.count) throw new Error('Not every file was imported.')
  return [
    memoryFigure(`export of ${gigabytes} of files: memory`, exported, 100),
    readsLine('p99 of reads while files are exported, relative to idle', exported),
    memoryFigure(`import of ${gigabytes} of files: memory`, imported, 100),
    readsLine('p99 of reads while files are imported, relative to idle', imported),
  ]
}

async function filled(folder: string, { count, bytes }: MovedFiles): Promise<string> {
  const data = await fillForFiles(folder, 'moved-from')
  const quire = await openWithFiles(data)
  const api = quire.as(systemIdentity('bench'))
  for (let index = 0; index < count; index++) await addAsset(api, `${index}.bin`, randomBytes(bytes))
  await quire.close()
  return data
}

async function onServer<T>(data: string, work: (server: Running) => Promise<T>): Promise<T> {
  const server = await startQuire(data, ['bundle.administrator'])
  try {
    return await work(server)
  } finally {
    await stopServer(server)
  }
}

const repositoriesOf = ({ port, token }: Running) =>
  createClient({ baseUrl: `http://127.0.0.1:${port}`, auth: { token } }).repositories

async function download(server: Running, path: string): Promise<void> {
  const archive = await repositoriesOf(server).export({ id: 'bench', query: { type: 'file' } })
  await pipeline(archive.stream(), createWriteStream(path))
}

async function upload(server: Running, path: string): Promise<ImportPlan> {
  // `openAsBlob` of Node counts only up to 4 GiB.
  const { size } = await stat(path)
  const file = { name: 'moved.zip', size, stream: () => createReadStream(path) }
  return repositoriesOf(server).import({ id: 'bench', file })
}
