/** How the client proves who calls. */
export type Auth =
  /**
   * A service account: the client gets tokens at POST /oauth2/token, 60 seconds before the last one expires and once more
   * when a call is answered 401; one request, however many calls wait for it.
   */
  | { readonly clientId: string; readonly clientSecret: string }
  /**
   * A bearer token, or a function that gives one for each call. After a 401 the function is asked once more, and the call
   * is repeated if it gives another token.
   */
  | { readonly token: string | (() => string | Promise<string>) }

/**
 * When a call is sent again: after a network error, 429, 502, 503 or 504, if a second time does no harm. That is GET, HEAD, PUT and
 * DELETE; POST with `idempotencyKey`; PATCH with `ifMatch` or `baseVersion`; and the request for a token. No other POST or PATCH
 * is ever sent twice, save for a 401, which the service answers before it does anything. Timeouts are not retried.
 *
 * Where the first attempt worked and only its answer was lost, a DELETE that is sent again finds nothing (404 `not_found`), and a
 * write with `ifMatch` finds its own change (412 `precondition_failed`).
 */
export interface RetryOptions {
  /**
   * Attempts after the first.
   *
   * @default 2
   */
  readonly limit?: number
  /**
   * Milliseconds before the second attempt, doubled before each further one. The wait is a random part of that, so that many
   * clients do not come back together.
   *
   * @default 300
   */
  readonly backoffMs?: number
  /**
   * Most milliseconds to wait where the service says how long (`Retry-After` of 429 and 503). If it asks for more, the error is
   * thrown at once.
   *
   * @default 30_000
   */
  readonly maxRetryAfterMs?: number
}

/** What a client is made of. Only `baseUrl` is needed. */
export interface ClientOptions {
  /**
   * Where the service is, with the path it is mounted under, if any.
   *
   * @example 'https://content.example.org'
   * @example '/quire' // in a browser, on the page's own origin
   */
  readonly baseUrl: string
  /**
   * How to prove who calls.
   *
   * @default undefined // anonymous: what is public
   * @example { clientId: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X', clientSecret }
   * @example { token: () => session.token }
   */
  readonly auth?: Auth
  /**
   * What sends the requests.
   *
   * @default globalThis.fetch // as it is at the time of the call
   */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Milliseconds that one attempt may take, to the last byte of its answer. After that the call is rejected with
   * `unavailable`. A call that sends a file may take as long as it takes; `assets.upload` has a limit of its own for each piece.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number
  /**
   * When a call is sent again.
   *
   * @default { limit: 2, backoffMs: 300, maxRetryAfterMs: 30_000 }
   * @example { limit: 0 } // never
   */
  readonly retry?: RetryOptions
  /**
   * Headers of every request, the one for a token included.
   *
   * @default {}
   * @example { 'x-tenant': 'magazine' }
   */
  readonly headers?: Readonly<Record<string, string>>
}
