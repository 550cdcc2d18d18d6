import { EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ask, type Answer, type Reached } from './ask.ts'
import { repository, type Location } from './location.ts'

const tus = { 'tus-resumable': '1.0.0' }
const bytesType = { 'content-type': 'application/offset+octet-stream' }

/** Starts an upload. Returns its path. */
export async function beginUpload(at: Reached, length: number, name = 'upload.bin'): Promise<string> {
  const metadata = Object.entries({ repositoryId: repository, filename: name })
    .map(([key, text]) => `${key} ${Buffer.from(text).toString('base64')}`)
    .join(',')
  const headers = { ...tus, 'upload-length': String(length), 'upload-metadata': metadata }
  const answer = await ask(at, { method: 'POST', path: '/api/items/upload', headers })
  if (answer.status !== 201)
    throw new Error(`the upload was answered with ${answer.status}: ${answer.body.toString()}`)
  return answer.headers.location ?? ''
}

/** The offset of an upload. Errors: any status but 200. */
export async function progressOf(
  at: Reached,
  path: string,
): Promise<{ offset: number; itemId: string | null }> {
  const { status, headers } = await ask(at, { method: 'HEAD', path, headers: tus })
  if (status !== 200) throw new Error(`HEAD ${path} was answered with ${status}`)
  const itemId = headers['quire-item-id']
  return { offset: Number(headers['upload-offset']), itemId: itemId === undefined ? null : String(itemId) }
}

/** An append in progress. */
export interface Appending {
  /** Bytes of the body that the operating system has accepted so far. */
  readonly sent: () => number
  /** Resolves when that many bytes were accepted, or when the connection is gone. */
  reached(bytes: number): Promise<void>
  /** Breaks the connection: with a reset, or by closing it before the end of the body. */
  cut(how: 'reset' | 'end'): void
  /** Resolves when the connection is gone. */
  readonly closed: Promise<void>
}

const pieceBytes = 64 * 1024

/** Sends bytes of an upload over a plain socket, so that it can be cut at any byte. */
export function beginAppend(
  { url, token }: Reached,
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
  const sent = countSent()
  void sendAll(socket, bytes, sent.add)
  return {
    sent: sent.count,
    closed,
    reached: (count) => Promise.race([sent.reached(count), closed]),
    cut(how) {
      if (how === 'end') socket.destroy()
      else socket.resetAndDestroy()
    },
  }
}

/** Counts bytes, and resolves when a number is reached. */
function countSent() {
  const counted = new EventEmitter<{ more: [] }>()
  let count = 0
  return {
    count: () => count,
    add: (bytes: number) => {
      count += bytes
      counted.emit('more')
    },
    reached: (wanted: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (count < wanted) return
          counted.off('more', look)
          resolve()
        }
        counted.on('more', look)
        look()
      }),
  }
}

async function sendAll(socket: Socket, bytes: Uint8Array, accepted: (count: number) => void): Promise<void> {
  for (let start = 0; start < bytes.length && !socket.destroyed; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes)
    await new Promise<void>((resolve) => {
      socket.write(piece, (error) => {
        if (!error) accepted(piece.length)
        resolve()
      })
    })
  }
}

/** Sends bytes of an upload. Returns the answer, whatever its status. */
export async function append(
  at: Location,
  path: string,
  { offset, bytes }: { offset: number; bytes: Uint8Array },
): Promise<Answer> {
  const headers = { ...tus, ...bytesType, 'upload-offset': String(offset) }
  return ask(at, { method: 'PATCH', path, headers, body: bytes })
}

/**
 * The offset once the lock is free, which an append without bytes shows, or once the asset exists.
 * Errors: any refusal except because of the lock.
 */
export async function freeOffset(at: Location, path: string): Promise<number> {
  for (;;) {
    const { offset, itemId } = await progressOf(at, path)
    if (itemId !== null) return offset
    const { status, body } = await append(at, path, { offset, bytes: new Uint8Array() })
    if (status === 204) return offset
    if (status !== 423 && status !== 409)
      throw new Error(`PATCH ${path} without bytes was answered with ${status}: ${body.toString()}`)
    await wait(20)
  }
}

/** The cost of resuming an upload. */
export interface Resumed {
  readonly itemId: string
  /** Milliseconds until the lock of the previous sender was released. */
  readonly waited: number
}

/**
 * Resumes an upload at the offset of the service, and completes it. Errors: any refusal except
 * because of the lock.
 */
export async function finishUpload(at: Location, path: string, bytes: Uint8Array): Promise<Resumed> {
  const start = performance.now()
  const before = await progressOf(at, path)
  if (before.itemId !== null) return { itemId: before.itemId, waited: 0 }
  const offset = await freeOffset(at, path)
  const waited = performance.now() - start
  const { status, headers, body } = await append(at, path, { offset, bytes: bytes.subarray(offset) })
  if (status !== 204) throw new Error(`PATCH ${path} was answered with ${status}: ${body.toString()}`)
  return { itemId: String(headers['quire-item-id']), waited }
}

/** Uploads a file in one request. Returns the item id. */
export async function uploadWhole(at: Location, bytes: Uint8Array, name = 'upload.bin'): Promise<string> {
  const path = await beginUpload(at, bytes.length, name)
  return (await finishUpload(at, path, bytes)).itemId
}

/** The path of an item's bytes. */
export function contentPath(itemId: string): string {
  return `/api/assets/${repository}/${itemId}/original`
}
