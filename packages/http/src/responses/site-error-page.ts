import { contract, type Endpoint, type QuireError, type TokenError } from '@quire/contract'
import { encodeError } from '@quire/contract/codec'
import { PageNotFound } from '@quire/core'
import { NoSuchPage } from '../routing/locate.ts'
import { commonHeaders } from './headers.ts'
import { weightsOf } from './weights.ts'

const words: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['Invalid address', 'This address is not valid.'],
  401: ['Not public', 'There is nothing public at this address.'],
  404: ['Not found', 'There is no such page or file on this site.'],
  429: ['Too many requests', 'Wait a moment, then reload the page.'],
  503: ['Temporarily unavailable', 'The site cannot be shown at the moment. Try again later.'],
}

/** A request as far as it decides between a page and JSON. */
export interface PageRequest {
  readonly endpoint: Pick<Endpoint, 'path'> | undefined
  /** The `Accept` header. */
  readonly accept: string | null | undefined
}

/** Pages for people who work on them, who can use the message of an error. */
const previews: readonly PageRequest['endpoint'][] = [
  contract.sites.preview,
  contract.packages.shared,
  contract.packages.showPageDiff,
]

/**
 * Whether to answer an error of a site, or of a path that is none, with a page: for a browser, whose user
 * has no use for JSON.
 */
export function isSitePage({ endpoint, accept }: PageRequest, error: QuireError | TokenError): boolean {
  const isServed = endpoint === contract.sites.serve
  const hasPage =
    error instanceof PageNotFound ||
    error instanceof NoSuchPage ||
    (isServed && error.status in words) ||
    previews.includes(endpoint)
  if (!hasPage) return false
  const weights = weightsOf(accept ?? '')
  return (weights.get('text/html') ?? 0) > (weights.get('application/json') ?? 0)
}

/** A page for an error: the headers that differ from those of the error, and the HTML. */
export interface ErrorPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The site's own error page, or a default page. The headers are added to those of the error. */
export function sitePageOf(
  error: QuireError | TokenError,
  { endpoint, requestId }: Pick<PageRequest, 'endpoint'> & { readonly requestId: string },
): ErrorPage {
  const { status, headers } = encodeError(error, requestId)
  const texts = previews.includes(endpoint)
    ? (['This cannot be shown', `${error.message} (${requestId})`] as const)
    : (words[status] ?? ['', ''])
  const own = error instanceof PageNotFound ? error : { html: pageOf(texts), policy: ourPolicy }
  return {
    status,
    headers: { ...headers, ...pageHeaders, 'content-security-policy': own.policy },
    body: own.html,
  }
}

const ourPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  vary: `${commonHeaders.vary}, Accept`,
}

function pageOf([title, text]: readonly [title: string, text: string]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 20vh auto 0; padding: 0 1.25rem; max-width: 40rem; font: 1.0625rem/1.65 system-ui, sans-serif; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escaped(text)}</p>
</main>
</body>
</html>
`
}

/** A text within HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
