import { rmSync } from 'node:fs'
import { callApi } from '../../test/server/api-access.ts'
import { fillForFiles, roomIn } from './asset-data.ts'
import { beside, memoryFigure, readsLine, type Beside } from './beside.ts'
import { askChild } from './ask-child.ts'
import { singleFigure, type Figure } from './compare.ts'
import { editorToken, startQuire, stopServer, type Running } from './servers.ts'
import type { Sent, Sending } from './upload-sender.ts'

/** The number of simultaneous uploads, and the size of each. */
export interface UploadEffort {
  readonly count: number
  readonly bytes: number
}

/**
 * Many simultaneous uploads: throughput, memory, the effect on other readers, and whether the
 * stored bytes are correct.
 */
export async function uploadLines(
  folder: string,
  { uploads, durationMs }: { uploads: UploadEffort; durationMs: number },
): Promise<Figure[]> {
  const data = await fillForFiles(folder, 'uploads')
  const effort = within(uploads, await roomIn(folder))
  const server = await startQuire(data)
  try {
    const tokens = await tokensFor(server, effort.count)
    const seen = await beside(server, durationMs, () => send({ ...effort, port: server.port, tokens }))
    await requireSame(server, seen.result)
    return branchesOf(effort, seen)
  } finally {
    await stopServer(server)
    rmSync(data, { recursive: true })
  }
}

function within({ count, bytes }: UploadEffort, room: number): UploadEffort {
  return { count, bytes: Math.min(bytes, Math.floor(room / count)) }
}

// The limit of open uploads per account.
const ofOneAccount = 20

async function tokensFor({ port }: Running, count: number): Promise<string[]> {
  const tokens: string[] = []
  while (tokens.length * ofOneAccount < count) tokens.push(await editorToken(`http://127.0.0.1:${port}`))
  return tokens
}

/** Uploads from a separate process, which knows the hash of each file. */
function send(sending: Sending): Promise<Sent> {
  return askChild('./upload-sender.ts', sending)
}

/** Errors: an asset has other bytes than were sent. */
async function requireSame({ port, token }: Running, { uploads }: Sent): Promise<void> {
  const call = { url: `http://127.0.0.1:${port}`, token }
  for (const { itemId, hash } of uploads) {
    const { asset } = await callApi<{ asset: { hash: string } }>(call, 'GET', {
      path: `/api/items/bench/${itemId}`,
    })
    if (asset.hash !== hash) throw new Error(`the asset ${itemId} does not have the bytes that were sent`)
  }
}

function branchesOf({ count, bytes }: UploadEffort, seen: Beside<Sent>): Figure[] {
  const what = `${count} uploads of ${Math.round(bytes / 1e6)} MB at once`
  return [
    singleFigure({
      what: `${what}: rate`,
      value: (count * bytes) / 1e6 / seen.result.seconds,
      unit: 'MB/s',
      target: 100,
      bound: 'atLeast',
      detail: `${seen.result.seconds.toFixed(1)} s; every asset has the SHA-256 of its upload`,
    }),
    memoryFigure(`${what}: memory`, seen, 150),
    readsLine('p99 of reads during uploads, relative to idle', seen),
  ]
}
