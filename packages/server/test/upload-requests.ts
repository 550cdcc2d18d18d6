import { afterAll, afterEach, beforeAll } from 'vitest'
import { serveAssets, type AssetServing } from './asset-serving.ts'
import type { Serving } from './serving.ts'
import { tusMetadata } from './tus.ts'

/** The address that creates uploads. */
export const uploadsPath = '/api/items/upload'

/** Headers of every request of an upload (TUS 1.0). */
export const tus = { 'tus-resumable': '1.0.0' } as const

/** Additional headers of a request with bytes. */
export const bytesType = { 'content-type': 'application/offset+octet-stream' } as const

/** The default content of an upload. */
export const text = 'ink and paper'

export type UploadHeaders = Readonly<Record<string, string>>

/** Bytes to append. Default: all of `text`, at offset 0. */
export interface Sending {
  readonly offset?: number | string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: UploadHeaders
}

/** The requests of the protocol, one by one. */
export interface UploadRequests {
  creation(length: number | string, headers?: UploadHeaders): Promise<Response>
  /** The address of a new upload. Errors: any status but 201. */
  begun(length?: number, headers?: UploadHeaders): Promise<string>
  patch(url: string, sending?: Sending): Promise<Response>
  head(url: string, headers?: UploadHeaders): Promise<Response>
  offsetOf(url: string): Promise<string | null>
  /** Terminates the open uploads: one account may have at most 20. */
  giveUpAll(): Promise<void>
}

/** The requests to a server, with its token. */
export function uploadRequests(server: Serving): UploadRequests {
  const open: string[] = []
  const head = (url: string, headers: UploadHeaders = {}) =>
    server.fetch(url, { method: 'HEAD', headers: { ...tus, ...headers } })
  const creation = async (length: number | string, headers: UploadHeaders = {}) => {
    const about = { 'upload-length': String(length), 'upload-metadata': tusMetadata({}) }
    const init = { method: 'POST', headers: { ...tus, ...about, ...headers } }
    const response = await server.fetch(uploadsPath, init)
    const location = response.headers.get('location')
    if (location !== null) open.push(location)
    return response
  }
  return {
    creation,
    head,
    async begun(length = text.length, headers = {}) {
      const response = await creation(length, headers)
      if (response.status === 201) return response.headers.get('location') ?? ''
      throw new Error(`the upload is ${response.status}: ${await response.text()}`)
    },
    patch: (url, { offset = 0, body = text, headers = {} } = {}) =>
      server.fetch(url, {
        method: 'PATCH',
        headers: { ...tus, ...bytesType, 'upload-offset': String(offset), ...headers },
        body,
      }),
    offsetOf: async (url) => (await head(url)).headers.get('upload-offset'),
    async giveUpAll() {
      for (const url of open.splice(0)) await server.fetch(url, { method: 'DELETE', headers: tus })
    },
  }
}

/** A server for the uploads of one test file, and requests to it. */
export interface ServedUploads {
  /** Errors: TypeError outside of tests and hooks. */
  readonly server: AssetServing
  readonly requests: UploadRequests
}

/**
 * Serves before the tests of a file, terminates the uploads of each test, and closes after them.
 */
export function serveUploads(): ServedUploads {
  let served: ServedUploads | undefined
  const requireServed = () => {
    if (served) return served
    throw new TypeError('The server runs in tests and hooks only.')
  }
  beforeAll(async () => {
    const server = await serveAssets()
    served = { server, requests: uploadRequests(server) }
  })
  afterEach(() => requireServed().requests.giveUpAll())
  afterAll(() => requireServed().server.close())
  return {
    get server() {
      return requireServed().server
    },
    get requests() {
      return requireServed().requests
    },
  }
}
