import { z } from 'zod'

/**
 * What somebody else's service answered, passed on as it comes, in every place the same. Whatever its status, it is an answer and no error.
 * It is read once; who leaves it unread is to abort the call, so that the service ends its part too.
 */
export interface Proxied {
  readonly status: number
  /** Names in lower case: those of `proxiedAnswerHeaders` that came. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes as they come. A stream that breaks off fails: it never ends early. */
  stream(): ReadableStream<Uint8Array>
  /** All bytes at once. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  /** All of it as UTF-8. */
  text(): Promise<string>
  /** All of it as JSON. Errors: SyntaxError when it is none. */
  json(): Promise<unknown>
}

/** What others answered, passed on. */
export const ProxiedOutput = z
  .custom<Proxied>((value) => typeof value === 'object' && value !== null && 'status' in value)
  .describe('What the upstream answered')
