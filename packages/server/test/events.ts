import { connect, type Socket } from 'node:net'
import type { Serving } from './serving.ts'

/** A stream of events as received. */
export interface OpenedStream {
  readonly response: Response
  /** Reads the next piece; null at the end. */
  next(): Promise<string | null>
  /** Reads until everything received matches, and returns it. */
  until(pattern: RegExp): Promise<string>
  leave(): void
}

/** Opens a stream and reads its beginning. */
export async function openStream(
  { fetch }: Pick<Serving, 'fetch'>,
  path = '/api/events',
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenedStream> {
  const controller = new AbortController()
  const response = await fetch(path, { headers, signal: controller.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => (await reader?.read())?.value ?? null
  return {
    response,
    next,
    async until(pattern) {
      let text = ''
      for (let piece = await next(); piece !== null; piece = await next()) {
        text += piece
        if (pattern.test(text)) return text
      }
      throw new Error(`the stream ended before ${String(pattern)}: ${text}`)
    },
    leave: () => controller.abort(),
  }
}

/** A connection that has requested a stream and does not read it. */
export async function askForStream({ baseUrl, token }: Pick<Serving, 'baseUrl' | 'token'>): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.pause()
  const lines = ['GET /api/events HTTP/1.1', 'host: quire.test', `authorization: Bearer ${token}`]
  await new Promise<void>((resolve) => {
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, () => resolve())
  })
  return socket
}
