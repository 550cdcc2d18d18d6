/**
 * Headers of every response: its type must not be guessed, and our addresses are not sent to other
 * sites. Responses depend on the caller, so a shared cache must not serve one caller's response to
 * another (TRUST S24).
 */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Authorization, Cookie',
} as const

const { vary: _vary, ...sharedHeaders } = commonHeaders
const publishedHeaders = { ...sharedHeaders, vary: 'Authorization' } as const

type Headers = Readonly<Record<string, string>>

/**
 * The common and cache headers of a response with `own` headers. Public content is one entry in a
 * shared cache, whatever cookies visitors have. A file or a page is the same for everyone who may
 * read it, as is the response of a public route: `isSame`. A caller with a token may see more in
 * lists and items at the same address, but the browser of a signed-in user may be shown the public
 * version.
 */
export function headersBeside(own: Headers, isSame: boolean): Headers & { readonly vary?: string } {
  if (!own['cache-control']?.startsWith('public')) return commonHeaders
  return isSame ? sharedHeaders : publishedHeaders
}

/**
 * Adds the reason to the headers of an error for an invalid token (RFC 6750 §3.1), so that the
 * client requests a new one.
 */
export function withInvalidToken(status: number, headers: Headers): Headers {
  const challenge = headers['www-authenticate']
  if (status !== 401 || !challenge?.startsWith('Bearer')) return headers
  return { ...headers, 'www-authenticate': `${challenge}, error="invalid_token"` }
}

/** Browsers that used https once use nothing else for two years (RFC 6797). */
export const onlyHttps = 'max-age=63072000'
