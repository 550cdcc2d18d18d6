import { Connection, type HttpAnswer } from '../server/connection.ts'

/** A request as written on the wire. */
export interface RawRequest {
  readonly method: string
  /** The request target between method and version, sent verbatim. */
  readonly target: string
  /** Header lines, sent verbatim, without line ends. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Sends verbatim requests over one connection. Errors: like `Connection`. */
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

/** The header lines for a token; empty without one. */
export function bearer(token: string | null): readonly string[] {
  return token === null ? [] : [`authorization: Bearer ${token}`]
}
