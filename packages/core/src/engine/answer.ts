import type { Cookie } from '@quire/contract/codec'

/**
 * The answer of an operation: the value itself, or a `Serialized` whose JSON text is ready to send.
 * A stored item is sent as it is stored, because serializing it again costs more than reading it.
 */
export type Answer<T> = T | Serialized<T>

/** An answer as JSON text, with its HTTP metadata. */
export class Serialized<T> {
  /** The JSON text of the value. */
  readonly text: string
  /** Strong entity tag of the revision, without quotes; null when the answer has none. */
  readonly etag: string | null
  /** Whether the answer was stored by an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean

  constructor(text: string, etag: string | null, replayed = false) {
    this.text = text
    this.etag = etag
    this.replayed = replayed
  }

  /** The value, parsed anew at each call. */
  value(): T {
    return JSON.parse(this.text)
  }
}

/** An answer with a cookie for the browser. In process there is no cookie, only the value. */
export class WithCookie<T> extends Serialized<T> {
  readonly cookie: Cookie
  readonly #value: T

  constructor(value: T, cookie: Cookie) {
    super(JSON.stringify(value) ?? 'null', null)
    this.cookie = cookie
    this.#value = value
  }

  override value(): T {
    return this.#value
  }
}

/** The value of an answer. */
export function valueOf<T>(answer: Answer<T>): T {
  return answer instanceof Serialized ? answer.value() : answer
}

/** An answer of GraphQL over HTTP. */
export class ServedGraphql {
  readonly status: number
  /** Its content type. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string

  constructor({ status, headers, body }: Pick<ServedGraphql, 'status' | 'headers' | 'body'>) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}
