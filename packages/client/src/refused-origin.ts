/**
 * Why a browser did not let a page read the response; null if the service sent none. A browser does
 * not tell: this finds out whether the service answers, but does not allow pages of this origin to
 * read it. Outside of browsers, and on the service's own origin, it is null.
 */
export async function refusalOf(error: unknown, input: RequestInfo | URL): Promise<string | null> {
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
