import { type HttpAnswer, Connection } from '../server/connection.ts'
import { untilAccepted } from '../server/until-accepted.ts'
import type { Content } from './content.ts'
import type { Sent } from './ledger.ts'

/** A request that takes longer hangs. */
const timeout = 10_000

/** Calls of one writer or checker over one keep-alive connection. */
export interface Wire {
  /** Sends a write from the ledger. `sending` is called once the bytes are in flight. */
  write(sent: Sent, sending?: () => void): Promise<HttpAnswer>
  /** Retries while the server is overloaded. */
  read(path: string): Promise<HttpAnswer>
  close(): void
}

/** Opens a connection with a token. */
export function openWire(url: string, token: string): Wire {
  const connection = new Connection(url)
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`
  return {
    write({ method, path, body, key, ifMatch }, sending) {
      const lines = [
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        `idempotency-key: ${key}`,
        ...(ifMatch === undefined ? [] : [`if-match: ${ifMatch}`]),
      ]
      const bytes = Buffer.from(`${head(method, path)}${lines.join('\r\n')}\r\n\r\n${body}`)
      return connection.send({ bytes, timeout, ...(sending && { sending }) })
    },
    read: (path) =>
      untilAccepted(() => connection.send({ bytes: Buffer.from(`${head('GET', path)}\r\n`), timeout })),
    close: () => connection.close(),
  }
}

/** The parts of an answered item that the driver checks. */
export interface AnsweredItem extends Content {
  readonly id: string
  readonly latestVersion: number
}

/** The parts of an answered list that the driver checks. */
export interface AnsweredPage {
  readonly items: readonly { readonly id: string }[]
  readonly count: number
}

/** The item in a successful answer. Errors: any other answer. */
export function itemOf(answer: HttpAnswer): AnsweredItem {
  return JSON.parse(textOf(answer))
}

/** The list in a successful answer. Errors: any other answer. */
export function pageOf(answer: HttpAnswer): AnsweredPage {
  return JSON.parse(textOf(answer))
}

function textOf({ status, body }: HttpAnswer): string {
  if (status === 200 || status === 201) return body.toString()
  throw new Error(`answered ${status}: ${body.toString()}`)
}
