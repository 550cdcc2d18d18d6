import { createHash, randomBytes } from 'node:crypto'
import { Agent, request, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The uploads to send at once, and the tokens to use. */
export interface Sending {
  readonly port: number
  readonly tokens: readonly string[]
  readonly count: number
  /** The size of each upload. */
  readonly bytes: number
}

export interface Sent {
  /** From the first byte to the last answer. */
  readonly seconds: number
  readonly uploads: readonly { readonly itemId: string; readonly hash: string }[]
}

/**
 * Sends the uploads that the parent process asks for (TUS 1.0), each in one request, and reports
 * them.
 */
process.once('message', (sending: Sending) => {
  void sendAll(sending).then((sent) => process.send?.(sent))
})

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const chunkBytes = 256 * 1024
const noise = randomBytes(chunkBytes)

async function sendAll(sending: Sending): Promise<Sent> {
  const numbers = Array.from({ length: sending.count }, (_, index) => index)
  const ids = await Promise.all(numbers.map((index) => begin(sending, index)))
  const started = performance.now()
  const items = await Promise.all(numbers.map((index) => append(sending, index, ids[index] ?? '')))
  const seconds = (performance.now() - started) / 1000
  // Hashes are computed afterwards, so that the server has the cores to itself while it is
  // measured.
  const uploads = items.map((itemId, index) => ({ itemId, hash: hashOf(index, sending.bytes) }))
  return { seconds, uploads }
}

/**
 * The bytes of an upload, the same on every call: noise with a different number in each chunk, so
 * that no two uploads share content.
 */
function* chunksOf(upload: number, bytes: number): Generator<Buffer> {
  for (let start = 0; start < bytes; start += chunkBytes) {
    const chunk = Buffer.from(noise.subarray(0, Math.min(chunkBytes, bytes - start)))
    chunk.write(`${upload}/${start}\n`)
    yield chunk
  }
}

function hashOf(upload: number, bytes: number): string {
  const digest = createHash('sha256')
  for (const chunk of chunksOf(upload, bytes)) digest.update(chunk)
  return digest.digest('hex')
}

async function begin(sending: Sending, index: number): Promise<string> {
  const metadata = { repositoryId: 'bench', filename: `upload-${index}.bin` }
  const pairs = Object.entries(metadata).map(
    ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
  )
  const answer = await call(sending, index, {
    method: 'POST',
    path: '/api/items/upload',
    headers: { 'upload-length': String(sending.bytes), 'upload-metadata': pairs.join(',') },
  })
  return headerOf(answer, 'quire-upload-id')
}

async function append(sending: Sending, index: number, id: string): Promise<string> {
  const answer = await call(sending, index, {
    method: 'PATCH',
    path: `/api/items/upload/${id}`,
    headers: {
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(sending.bytes),
    },
    body: chunksOf(index, sending.bytes),
  })
  return headerOf(answer, 'quire-item-id')
}

interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Iterable<Buffer>
}

/** Sends one request and returns its answer once it has ended. Errors: any status but 2xx. */
async function call({ port, tokens }: Sending, index: number, sent: Call): Promise<IncomingMessage> {
  const { method, path, body = [] } = sent
  const own = { authorization: `Bearer ${tokens[index % tokens.length]}`, 'tus-resumable': '1.0.0' }
  const headers = { ...own, ...sent.headers }
  const outgoing = request({ agent, port, host: '127.0.0.1', method, path, headers })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  await pipeline(Readable.from(body, { objectMode: false }), outgoing)
  const response = await answered
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += String(part)
  if (response.statusCode === 201 || response.statusCode === 204) return response
  throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name]
  if (typeof value !== 'string') throw new Error(`an answer has no header ${name}`)
  return value
}
