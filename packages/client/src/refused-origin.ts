import type { QuireError } from '@quire/contract/client'

/** A request of `fetch` that was rejected. */
interface FailedRequest {
  readonly input: RequestInfo | URL
  readonly error: unknown
}

/**
 * What to throw for a failed request: its error, or one that says why a browser did not let the page
 * read the response. The class is given, not imported: a bundler would put it into a file of its own.
 */
export async function failureOf(request: FailedRequest, Failure: typeof QuireError): Promise<unknown> {
  const refusal = await refusalOf(request)
  return refusal === null ? request.error : new Failure('unavailable', refusal, { cause: request.error })
}

/**
 * Why a browser did not let a page read the response; null if the service sent none. A browser does
 * not tell: this finds out whether the service answers, but does not allow pages of this origin to
 * read it. Outside of browsers, and on the service's own origin, it is null.
 */
async function refusalOf({ error, input }: FailedRequest): Promise<string | null> {
  const { location } = globalThis
  const { origin, href } = new URL(input instanceof Request ? input.url : input, location?.href)
  if (!(error instanceof TypeError) || location === undefined || location.origin === origin) return null
  if (!(await answers(href))) return null
  return `${origin} answers, but not to pages of ${location.origin}: start the service with --cors-origin ${location.origin} (option cors.origins), or check baseUrl.`
}

/** Whether anything answers. The page cannot read the response. */
async function answers(url: string): Promise<boolean> {
  return fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}
