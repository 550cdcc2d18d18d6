import { createWriteStream } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The archive to download, and the file to write it to. Without a file, the bytes are dropped. */
export interface ArchiveRequest {
  readonly port: number
  readonly token: string
  readonly ids: readonly string[]
  readonly file?: string
}

export interface ArchiveRead {
  /** Milliseconds from the request to the first byte of the body. */
  readonly firstMs: number
  /** Total duration, measured from sending the request. */
  readonly seconds: number
  readonly bytes: number
}

/** Downloads the archive that the parent process asks for, and reports the timing. */
process.once('message', (wanted: ArchiveRequest) => {
  void read(wanted).then((seen) => process.send?.(seen))
})

async function read(wanted: ArchiveRequest): Promise<ArchiveRead> {
  const started = performance.now()
  const response = await ask(wanted)
  if (response.statusCode !== 200)
    throw new Error(`the archive request was answered with ${response.statusCode}`)
  let first = 0
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    if (first === 0) first = performance.now()
    bytes += chunk.length
  })
  await pipeline(response, wanted.file === undefined ? nowhere() : createWriteStream(wanted.file))
  return { firstMs: first - started, seconds: (performance.now() - started) / 1000, bytes }
}

function ask({ port, token, ids }: ArchiveRequest): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const path = '/api/assets/zip/bench'
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, resolve)
    sent.once('error', reject)
    sent.end(JSON.stringify(ids))
  })
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
