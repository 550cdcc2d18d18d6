import type { Proxied } from '@quire/contract'
import type { Bytes } from '../ports/index.ts'
import { collect } from './paging.ts'
import { reportingBytes, streamOf } from './served-bytes.ts'

/** The head of an answer of others, and its bytes; null: it has none. */
export interface ProxiedSource extends Pick<Proxied, 'status' | 'headers'> {
  readonly body: Bytes | null
}

/** What others answered, as an operation answers it: a caller in process reads it, a door sends it on. */
export class ServedProxied implements Proxied {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Bytes | null

  constructor({ status, headers, body }: ProxiedSource) {
    this.status = status
    this.headers = headers
    this.body = body
  }

  stream(): ReadableStream<Uint8Array> {
    return streamOf(async () => this.body ?? nothing())
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return collect(this.body ?? nothing())
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  /** The same answer; what its bytes fail at is told. `report` answers what is thrown. */
  reporting(report: (error: unknown) => Error): ServedProxied {
    const { status, headers, body } = this
    return new ServedProxied({ status, headers, body: body && reportingBytes(body, report) })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
