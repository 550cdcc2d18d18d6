import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemIdentity } from '@quire/core'
import { addAsset, fillForFiles, openWithFiles } from './asset-data.ts'
import { createBare } from './databases.ts'
import { interleaved, median, ratioLine, type Figure } from './compare.ts'
import { picture } from './picture.ts'
import { request, startBare, startQuire, stopServer, type Running } from './servers.ts'

/** Durations and rounds. */
interface Rounds {
  readonly rounds: number
  readonly durationMs: number
}

const downloadBytes = 3 * 1024 ** 2
const connections = 32

/**
 * An existing rendition and the download of an original, each compared with a bare server that
 * streams the same file.
 */
export async function downloadLines(folder: string, effort: Rounds): Promise<Figure[]> {
  const files = await fillDownloads(folder)
  const quire = await startQuire(files.data)
  const database = join(folder, 'bare-files.db')
  createBare(database).close()
  const bare = await startBare(database, { files: files.bare })
  const compare = async (name: string, path: string) =>
    interleaved(
      effort.rounds,
      () => loadOf(bare, `/files/${name}`, effort),
      () => loadOf(quire, `/api/assets/bench/${path}`, effort),
    )
  try {
    const renditions = await compare('column.webp', `${files.picture}/column?format=webp`)
    const downloads = await compare('original.bin', `${files.original}/original`)
    return [
      figureOf(renditions, {
        what: 'warm rendition, relative to the bare server',
        target: 0.5,
        bytes: files.webpBytes,
      }),
      figureOf(downloads, {
        what: 'download of an original, relative to the bare server',
        target: 0.8,
        bytes: downloadBytes,
      }),
    ]
  } finally {
    await Promise.all([stopServer(quire), stopServer(bare)])
  }
}

interface Downloads {
  readonly data: string
  /** The folder that the bare server streams files from. */
  readonly bare: string
  readonly picture: string
  readonly original: string
  readonly webpBytes: number
}

async function fillDownloads(folder: string): Promise<Downloads> {
  const data = await fillForFiles(folder, 'downloads')
  const quire = await openWithFiles(data)
  const api = quire.as(systemIdentity('bench'))
  await api.renditionPresets.create({ configId: 'bench', name: 'column', width: 400 })
  const assetId = await addAsset(api, 'picture.jpg', await picture())
  const bytes = randomBytes(downloadBytes)
  const original = await addAsset(api, 'original.bin', bytes)
  const wanted = { configId: 'bench', assetId, rendition: 'column', format: 'webp' } as const
  const webp = await (await api.assets.get(wanted)).bytes()
  await quire.close()
  const bare = join(folder, 'bare-files')
  mkdirSync(bare)
  writeFileSync(join(bare, 'column.webp'), webp)
  writeFileSync(join(bare, 'original.bin'), bytes)
  return { data, bare, picture: assetId, original, webpBytes: webp.length }
}

function loadOf(server: Running, path: string, { durationMs }: Rounds) {
  return { port: server.port, requests: [request(server, `GET ${path}`)], connections, durationMs }
}

function figureOf(
  pairs: Awaited<ReturnType<typeof interleaved>>,
  { what, target, bytes }: { what: string; target: number; bytes: number },
): Figure {
  const rate = (side: 0 | 1) => Math.round(median(pairs.map((pair) => pair[side].rate)))
  const size = bytes >= 1024 ** 2 ? `${bytes / 1024 ** 2} MB` : `${(bytes / 1024).toFixed(1)} KB`
  return ratioLine(
    what,
    pairs.map(([limit, ours]) => ours.rate / limit.rate),
    { target, bound: 'atLeast', detail: `${size}; ${rate(1)}/s of ${rate(0)}/s` },
  )
}
