import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { serveAssets, type AssetServing } from '../../test/asset-serving.ts'
import { tusMetadata } from '../../test/tus.ts'

const windowMs = 30_000

// The server's connections, by the client's port.
const arrived = new Map<number | undefined, Socket>()

let server: AssetServing
beforeAll(async () => {
  server = await serveAssets()
  server.app.server.on('connection', (socket: Socket) => arrived.set(socket.remotePort, socket))
})
afterAll(() => server.close())

// Half a minute passes at once; everything else in the server runs in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const tus = { 'tus-resumable': '1.0.0' }

/** A request whose body has started and continues as the test decides. */
interface Sending {
  readonly socket: Socket
  /** The response, once the connection is closed. */
  readonly closed: Promise<string>
}

function begin(method: string, path: string, headers: Readonly<Record<string, string>>): Sending {
  const { hostname, port } = new URL(server.baseUrl)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(answer))
  })
  const lines = Object.entries({ host: 'quire.test', authorization: `Bearer ${server.token}`, ...headers })
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`)
  return { socket, closed }
}

async function newUpload(length: number): Promise<string> {
  const headers = { ...tus, 'upload-length': String(length), 'upload-metadata': tusMetadata({}) }
  const response = await server.fetch('/api/items/upload', { method: 'POST', headers })
  return response.headers.get('location') ?? ''
}

const offsetOf = async (url: string) => {
  const response = await server.fetch(url, { method: 'HEAD', headers: tus })
  return Number(response.headers.get('upload-offset'))
}

const append = (url: string, length: number) =>
  begin('PATCH', url, {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'content-length': String(length),
    'upload-offset': '0',
  })

const late = { timeout: 10_000 }

/** Resolves when the server has read everything that was sent over a connection. */
async function accepted({ socket }: Sending): Promise<void> {
  await expect.poll(() => arrived.get(socket.localPort)?.bytesRead, late).toBe(socket.bytesWritten)
  await new Promise((resolve) => setTimeout(resolve, 100))
}

describe('a body that arrives slower than a kibibyte a second', () => {
  it('is cut after half a minute, retains the received bytes of an upload, and releases its slot', async () => {
    const url = await newUpload(100_000)
    const sending = append(url, 100_000)
    sending.socket.write(Buffer.alloc(20_000))
    await accepted(sending)
    vi.advanceTimersByTime(windowMs)
    expect(await sending.closed).not.toContain('204')
    await expect.poll(() => offsetOf(url), late).toBe(20_000)
    const rest = await server.fetch(url, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '20000' },
      body: new Uint8Array(80_000),
    })
    expect(rest.status).toBe(204)
  })

  it('is cut in a form, and in the replacement of a file', async () => {
    const asset = await server.upload(new Uint8Array(10))
    const form = begin('POST', '/api/assets/magazine', {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '100000',
    })
    form.socket.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc')
    const file = begin('PUT', `/api/assets/magazine/${asset.id}/content`, {
      'content-type': 'image/png',
      'content-length': '100000',
    })
    file.socket.write('abc')
    await Promise.all([accepted(form), accepted(file)])
    vi.advanceTimersByTime(windowMs)
    expect(await form.closed).not.toContain('201')
    expect(await file.closed).not.toContain('200')
    const { latestVersion } = await server.api.items.get({ configId: 'magazine', id: asset.id })
    expect(latestVersion).toBe(1)
  })
})

it('a body that keeps arriving is not cut, however long it takes', async () => {
  const length = 6 * 31_000
  const url = await newUpload(length)
  const sending = append(url, length)
  await accepted(sending)
  for (let count = 0; count < 6; count++) {
    sending.socket.write(Buffer.alloc(31_000))
    await accepted(sending)
    vi.advanceTimersByTime(windowMs)
  }
  await expect.poll(() => offsetOf(url), late).toBe(length)
  sending.socket.end()
  expect(await sending.closed).toContain('HTTP/1.1 204')
})
