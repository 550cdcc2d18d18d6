/** The credentials of the client. */
export type Auth =
  /**
   * A service account: `clientId` is the `id` that `serviceAccounts.create` returned, `clientSecret`
   * its `secret`. The client requests tokens from POST /oauth2/token: 60 seconds before the last one
   * expires, and once more when a call gets a 401. Concurrent calls share one request.
   */
  | { readonly clientId: string; readonly clientSecret: string }
  /**
   * A bearer token, or a function that returns one for each call. After a 401 the function is
   * called once more, and the call is repeated if it returns a different token.
   */
  | { readonly token: string | (() => string | Promise<string>) }

/**
 * When a call is retried: after a network error, 429, 502, 503 or 504, if a second attempt is safe.
 * That is the case for GET, HEAD, PUT and DELETE, for POST with `idempotencyKey`, for PATCH with
 * `ifMatch` or `baseVersion`, and for the request for a token. Any other POST or PATCH is never
 * sent twice, except after a 401, which the service sends before it does anything. Timeouts are not
 * retried.
 *
 * If the first attempt succeeded and only its response was lost, a retried DELETE finds nothing
 * (404 `not_found`), and a retried write with `ifMatch` finds its own change (412
 * `precondition_failed`).
 */
export interface RetryOptions {
  /**
   * Number of attempts after the first one.
   *
   * @default 2
   */
  readonly limit?: number
  /**
   * Milliseconds before the second attempt, doubled before each further one. The actual wait is a
   * random fraction of that, so that many clients do not retry at the same time.
   *
   * @default 300
   */
  readonly backoffMs?: number
  /**
   * Maximum milliseconds to wait if the service says how long (`Retry-After` of 429 and 503). If it
   * asks for more, the error is thrown at once.
   *
   * @default 30_000
   */
  readonly maxRetryAfterMs?: number
}

/** The options of a client. Only `baseUrl` is required. */
export interface ClientOptions {
  /**
   * URL of the service, with the path it is mounted under, if any.
   *
   * @example 'https://content.example.org'
   * @example '/quire' // in a browser, on the page's own origin
   */
  readonly baseUrl: string
  /**
   * The credentials of the client.
   *
   * @default undefined // anonymous: only public content
   * @example { clientId: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X', clientSecret }
   * @example { token: () => session.token }
   */
  readonly auth?: Auth
  /**
   * The function that sends the requests.
   *
   * @default globalThis.fetch // as it is at the time of the call
   */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Milliseconds that one attempt may take, up to the last byte of its response. After that the
   * call is rejected with `unavailable`. A call that sends a file has no time limit;
   * `assets.upload` has its own limit for each piece.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number
  /**
   * When a call is retried.
   *
   * @default { limit: 2, backoffMs: 300, maxRetryAfterMs: 30_000 }
   * @example { limit: 0 } // never
   */
  readonly retry?: RetryOptions
  /**
   * Headers of every request, including the one for a token.
   *
   * @default {}
   * @example { 'x-tenant': 'magazine' }
   */
  readonly headers?: Readonly<Record<string, string>>
}
