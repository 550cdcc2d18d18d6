import type { Proxied } from '@quire/contract'
import type { Bytes } from '../ports/index.ts'
import { collect } from './paging.ts'
import { reportingBytes, streamOf } from './served-bytes.ts'

/** The head of an upstream's response and its body; null: it has none. */
export interface ProxiedSource extends Pick<Proxied, 'status' | 'headers'> {
  readonly body: Bytes | null
}

/** An upstream's response as an answer: callers in process read it, a transport forwards it. */
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

  /**
   * The same response, but errors while reading are reported; `report` returns the error to throw.
   */
  reporting(report: (error: unknown) => Error): ServedProxied {
    const { status, headers, body } = this
    return new ServedProxied({ status, headers, body: body && reportingBytes(body, report) })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
