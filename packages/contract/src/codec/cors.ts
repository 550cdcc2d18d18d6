import { QuireError } from '../errors.ts'
import { originMatcher } from '../origins.ts'

/** Which pages of other origins may read responses. Credentials are never allowed across origins. */
export interface CorsOptions {
  /**
   * Origins whose pages may call every operation, with a bearer token: exact, or with `*` in place
   * of the first label of the host.
   *
   * @default [] // only pages of the service's own origin
   * @example ['https://www.example.org', 'https://*.preview.example.org', 'http://localhost:5173']
   */
  readonly origins?: readonly string[]
  /**
   * Whether pages of every origin may read published content, embeds and the OpenAPI document.
   *
   * @default true
   */
  readonly published?: boolean
}

/** A request as far as its origin matters. */
export interface CrossOriginRequest {
  /** The `Origin` header. */
  readonly origin: string | undefined
  /** Whether pages of every origin may read the response: see `isForEveryOrigin`. */
  readonly isForAll: boolean
}

/** A preflight: a browser asks whether a page may send a request. */
export interface Preflight extends CrossOriginRequest {
  /** The methods of the address that the page wants to call. Empty for an unknown address. */
  readonly methods: readonly string[]
  /** The `Access-Control-Request-Headers` header. */
  readonly headers: string | undefined
}

type Headers = Readonly<Record<string, string>>

/** The rules for pages of other origins. */
export interface Cors {
  /** Whether responses differ by `Origin`, so that `Vary` has to name it. */
  readonly isByOrigin: boolean
  /** The headers that let the page of an origin read a response; none if it may not. */
  readonly headers: (request: CrossOriginRequest) => Headers
  /** The headers of the answer to a preflight. Errors: `forbidden` for another origin. */
  readonly preflight: (request: Preflight) => Headers
}

/** Whether pages of every origin may read the responses of an endpoint: those of published content. */
export function isForEveryOrigin({ group }: { readonly group: string }): boolean {
  return group === 'published'
}

// What a client of this service reads. Browsers show Content-Type, Cache-Control and a few others
// to every page.
const exposed = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Quire-Upstream-Status',
  'Retry-After',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ')

// Seconds for which a browser does not ask again. Chromium allows at most this.
const preflightSeconds = 7200

const none: Headers = Object.freeze({})
const forAll: Headers = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
})

/** Creates the rules. Errors: TypeError for an origin that is none. */
export function createCors({ origins = [], published = true }: CorsOptions = {}): Cors {
  const isListed = originMatcher(origins)
  const headers = ({ origin, isForAll }: CrossOriginRequest) => {
    if (isForAll && published) return forAll
    if (origin === undefined || !isListed(origin)) return none
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
  }
  return {
    isByOrigin: origins.length > 0,
    headers,
    preflight({ methods, headers: asked = '', ...request }) {
      const allowed = headers(request)['access-control-allow-origin']
      if (allowed === undefined) throw refusalOf(request)
      return {
        'access-control-allow-origin': allowed,
        'access-control-allow-methods': methods.join(', '),
        ...(isHeaderList.test(asked) && { 'access-control-allow-headers': asked }),
        'access-control-max-age': String(preflightSeconds),
        vary: 'Origin, Access-Control-Request-Headers',
      }
    },
  }
}

const isHeaderList = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/

function refusalOf({ origin }: CrossOriginRequest): QuireError {
  return new QuireError(
    'forbidden',
    `Pages of ${origin} may not call this service. To allow it, start the service with --cors-origin ${origin} (option cors.origins).`,
  )
}
