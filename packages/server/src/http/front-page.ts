import { anonymous, systemIdentity, type Quire } from '@quire/core'
import type { FastifyInstance } from 'fastify'
import { commonHeaders, escaped } from '@quire/http/shared'

/** What the front page links to. */
export interface FrontPageOptions {
  readonly quire: Quire
  readonly hasConsole: boolean
  readonly hasExplorer: boolean
}

interface PublicSite {
  readonly name: string
  readonly slug: string
}

// Links to sites are looked up again after this many milliseconds.
const freshMs = 60_000

// A page with more links helps nobody.
const mostSites = 20

/**
 * Serves `/`, for people who open the address of the service in a browser: the published sites and
 * the explorer. Also `/favicon.ico`, which browsers request without being asked to: there is none.
 */
export function addFrontPage(app: FastifyInstance, { quire, ...has }: FrontPageOptions): void {
  let sites: Promise<readonly PublicSite[]> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  app.get('/', { config: { public: true } }, async (request, reply) => {
    if (performance.now() - readAt > freshMs) {
      readAt = performance.now()
      sites = publicSites(quire)
    }
    // Without the store there are no links to sites, but still a page.
    const page = frontPage((await sites?.catch(() => [])) ?? [], has)
    return reply.headers({ ...commonHeaders, ...pageHeaders, 'x-request-id': request.id }).send(page)
  })
  app.get('/favicon.ico', { config: { public: true } }, (_request, reply) => {
    void reply
      .code(204)
      .headers({ ...commonHeaders, 'cache-control': 'public, max-age=86400' })
      .send()
  })
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'cache-control': 'no-cache',
}

/** The sites that everybody can open. */
async function publicSites(quire: Quire): Promise<readonly PublicSite[]> {
  const api = quire.as(systemIdentity('front-page'))
  const repositories = (await api.repositories.list()).items.filter(({ public: isPublic }) => isPublic)
  const lists = await Promise.all(
    repositories.slice(0, mostSites).map(({ id }) => api.sites.list({ configId: id, limit: mostSites })),
  )
  const sites = lists.flatMap(({ items }) => items).slice(0, mostSites)
  const served = await Promise.all(sites.map(({ slug }) => isServed(quire, slug)))
  return sites.filter((_site, index) => served[index])
}

async function isServed(quire: Quire, siteSlug: string): Promise<boolean> {
  return quire
    .as(anonymous)
    .sites.serve({ siteSlug, path: '' })
    .then(
      () => true,
      () => false,
    )
}

function frontPage(
  sites: readonly PublicSite[],
  { hasConsole, hasExplorer }: Omit<FrontPageOptions, 'quire'>,
): string {
  const links = [
    ...(hasConsole ? [link('console/', 'Console', 'For those who review, write and run')] : []),
    ...sites.map(({ name, slug }) => link(`sites/${encodeURIComponent(slug)}/`, name, 'A published site')),
    ...(hasExplorer
      ? [
          link('api-docs', 'API explorer', 'Every operation, with a form to try it'),
          link('api-docs/openapi.json', 'OpenAPI document', 'For generated clients'),
        ]
      : []),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quire</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { margin: 15vh auto 0; padding: 0 1.25rem; max-width: 40rem; font: 1.0625rem/1.65 system-ui, sans-serif; }
li { margin: 0.75rem 0; }
ul { padding: 0; list-style: none; }
small { display: block; opacity: 0.7; }
</style>
</head>
<body>
<main>
<h1>Quire</h1>
<p>This is a content service.${links.length === 0 ? ' Nothing is published here yet.' : ''}</p>
<ul>
${links.join('\n')}
</ul>
</main>
</body>
</html>
`
}

function link(path: string, text: string, note: string): string {
  return `<li><a href="./${path}">${escaped(text)}</a><small>${note}</small></li>`
}
