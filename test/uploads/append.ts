import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask.ts'
import { repository, type Place } from './place.ts'

const tus = { 'tus-resumable': '1.0.0' }
const bytesType = { 'content-type': 'application/offset+octet-stream' }

/** Begins an upload; its path. */
export async function beginUpload(place: Place, length: number, name = 'upload.bin'): Promise<string> {
  const metadata = Object.entries({ repositoryId: repository, filename: name })
    .map(([key, text]) => `${key} ${Buffer.from(text).toString('base64')}`)
    .join(',')
  const headers = { ...tus, 'upload-length': String(length), 'upload-metadata': metadata }
  const answer = await ask(place, { method: 'POST', path: '/api/items/upload', headers })
  if (answer.status !== 201) throw new Error(`the upload is ${answer.status}: ${answer.body.toString()}`)
  return answer.headers.location ?? ''
}

/** How far an upload is. Errors: any status but 200. */
export async function progressOf(
  place: Place,
  path: string,
): Promise<{ offset: number; itemId: string | null }> {
  const { status, headers } = await ask(place, { method: 'HEAD', path, headers: tus })
  if (status !== 200) throw new Error(`HEAD ${path} is ${status}`)
  const itemId = headers['quire-item-id']
  return { offset: Number(headers['upload-offset']), itemId: itemId === undefined ? null : String(itemId) }
}

/** An append that is under way. */
export interface Appending {
  /** Bytes of the body that the operating system has taken so far. */
  readonly sent: () => number
  /** Resolves when so many have been; at once when the connection is gone. */
  reached(bytes: number): Promise<void>
  /** Breaks the connection: with a reset, or with an end before the body's. */
  cut(how: 'reset' | 'end'): void
  /** Resolves when the connection is gone. */
  readonly closed: Promise<void>
}

const pieceBytes = 64 * 1024

/** Sends bytes of an upload over a bare socket, so that it can be cut at any byte. */
export function beginAppend(
  { url, token }: Place,
  path: string,
  { offset, bytes }: { offset: number; bytes: Uint8Array },
): Appending {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => undefined)
  socket.resume()
  const lines = Object.entries({
    host: '127.0.0.1',
    authorization: `Bearer ${token}`,
    ...tus,
    ...bytesType,
    'content-length': String(bytes.length),
    'upload-offset': String(offset),
  }).map((line) => line.join(': '))
  socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  let sent = 0
  void sendAll(socket, bytes, (count) => (sent += count))
  return {
    sent: () => sent,
    closed,
    async reached(count) {
      while (sent < count && !socket.destroyed) await wait(1)
    },
    cut(how) {
      if (how === 'end') socket.destroy()
      else socket.resetAndDestroy()
    },
  }
}

async function sendAll(socket: Socket, bytes: Uint8Array, taken: (count: number) => void): Promise<void> {
  for (let start = 0; start < bytes.length && !socket.destroyed; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes)
    await new Promise<void>((resolve) => {
      socket.write(piece, (error) => {
        if (!error) taken(piece.length)
        resolve()
      })
    })
  }
}

/** What going on with an upload took. */
export interface Resumed {
  readonly itemId: string
  /** Bytes that were sent. */
  readonly sent: number
  /** Milliseconds until the lock of whoever sent before was free. */
  readonly waited: number
}

/** Goes on with an upload at the offset that the service says, to its end. Errors: any refusal but `upload_locked`. */
export async function finishUpload(place: Place, path: string, bytes: Uint8Array): Promise<Resumed> {
  const start = performance.now()
  for (;;) {
    const { offset, itemId } = await progressOf(place, path)
    if (itemId !== null) return { itemId, sent: 0, waited: performance.now() - start }
    const asked = performance.now()
    const headers = { ...tus, ...bytesType, 'upload-offset': String(offset) }
    const answer = await ask(place, { method: 'PATCH', path, headers, body: bytes.subarray(offset) })
    if (answer.status === 204) {
      const made = String(answer.headers['quire-item-id'])
      return { itemId: made, sent: bytes.length - offset, waited: asked - start }
    }
    if (answer.status !== 423 && answer.status !== 409)
      throw new Error(`PATCH ${path} is ${answer.status}: ${answer.body.toString()}`)
    await wait(50)
  }
}

/** A file that is uploaded in one go. */
export async function uploadWhole(place: Place, bytes: Uint8Array, name = 'upload.bin'): Promise<string> {
  const path = await beginUpload(place, bytes.length, name)
  return (await finishUpload(place, path, bytes)).itemId
}

/** The path of the bytes of an item. */
export function contentPath(itemId: string): string {
  return `/api/assets/${repository}/${itemId}/original`
}
