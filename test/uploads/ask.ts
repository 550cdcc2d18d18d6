import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Location } from './location.ts'

/** Where a service is reached, directly or through a proxy, and a token for it. */
export type Reached = Pick<Location, 'url' | 'token'>

/** A request with the administrator's token. */
export interface UploadRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A complete answer. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/**
 * Sends one request on its own connection and closes it, so that the server does not keep it open.
 * Errors: those of the connection, including an answer that breaks off.
 */
export async function ask(location: Reached, asking: UploadRequest): Promise<Answer> {
  const response = await begin(location, asking)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

/** Like `ask`, but resolves with the head of the answer. The caller reads the rest, or does not. */
export function begin(location: Reached, asking: UploadRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = send(location, asking)
    sending.on('response', resolve)
    sending.on('error', reject)
    sending.end(asking.body)
  })
}

function send({ url, token }: Reached, { method = 'GET', path, headers }: UploadRequest): ClientRequest {
  const { hostname, port } = new URL(url)
  const own = { authorization: `Bearer ${token}` }
  return request({ hostname, port, path, method, headers: { ...own, ...headers }, agent: false })
}

/** Sends one JSON request. */
export function askJson(location: Reached, path: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return ask(location, { method: 'POST', path, headers, body: JSON.stringify(body) })
}
