import { QuireError } from '@quire/contract/client'

/**
 * Throws the error of a request that got no response. A browser does not say why: this finds out
 * whether the service answers but does not allow pages of this origin to read it. That is not
 * retried. Outside of browsers, and on the service's own origin, the error stays as it is.
 */
export async function explain(error: unknown, input: RequestInfo | URL): Promise<never> {
  const { location } = globalThis
  const { origin, href } = new URL(input instanceof Request ? input.url : input, location?.href)
  if (!(error instanceof TypeError) || location === undefined || location.origin === origin) throw error
  if (!(await answers(href))) throw error
  const message = `${origin} answers, but not to pages of ${location.origin}: start the service with --cors-origin ${location.origin} (option cors.origins), or check baseUrl.`
  throw new QuireError('unavailable', message, { cause: error })
}

/** Whether anything answers. The page cannot read the response. */
async function answers(url: string): Promise<boolean> {
  return fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}
