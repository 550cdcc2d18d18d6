import { Connection, type HttpAnswer } from '../server/connection.ts'

/** A request as it is written on the wire. */
export interface RawRequest {
  readonly method: string
  /** What stands between method and version: nothing of it is put right. */
  readonly target: string
  /** Lines as they are, without their ends. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Sends requests as they are over one connection. Errors: as of a `Connection`. */
export function openRaw(address: string) {
  const connection = new Connection(address)
  return {
    send: ({ method, target, headers, body }: RawRequest): Promise<HttpAnswer> => {
      const length = `content-length: ${Buffer.byteLength(body)}`
      const fixed = ['host: quire.test', 'x-request-id: matrix', length]
      const head = [`${method} ${target} HTTP/1.1`, ...fixed, ...headers, '', ''].join('\r\n')
      const isHead = method === 'HEAD'
      return connection.send({ bytes: Buffer.from(head + body, 'utf8'), isHead, timeout: 5000 })
    },
    close: () => connection.close(),
  }
}

/** The header lines of a token; none for nobody. */
export function bearer(token: string | null): readonly string[] {
  return token === null ? [] : [`authorization: Bearer ${token}`]
}
