import { specimens } from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveAssets, type AssetServing } from '../../test/asset-serving.ts'

const configId = 'magazine'
/** Parameters that newsletters, networks and caches add to an address. */
const added = 'utm_source=letter&fbclid=y&v=2&siteSlug=x&path=y&a[b][c]=1&q=%zz'

let server: AssetServing
let siteId: string
/**
 * Addresses of a published picture, of one of its renditions, and of the stylesheet and picture on
 * the page.
 */
let files: readonly string[]

const layout = [
  '<link rel="stylesheet" href="{{ site.settings.css | file }}">',
  '<img src="{{ site.settings.logo | rendition: \'thumbnail\' }}" alt="">',
  '<form method="get" action=""><input name="q"><button>Search</button></form>',
  '{{ content }}',
].join('')

/** A published asset. */
async function published(bytes: Uint8Array, name: string): Promise<string> {
  const { id } = await server.upload(bytes, { name })
  await server.api.items.publish({ configId, id })
  return id
}

beforeAll(async () => {
  server = await serveAssets()
  const { api } = server
  await api.repositories.update({ id: configId, public: true })
  const css = await published(new TextEncoder().encode('h1 { color: red }'), 'site.css')
  const logo = await published(await specimens.png(), 'logo.png')
  const site = await api.sites.create({
    configId,
    name: 'Magazine',
    slug: 'magazine',
    settings: { css, logo },
    templates: { layout, page: '<h1>{{ page.name }}</h1>' },
  })
  siteId = site.id
  const section = await api.sections.create({ configId, siteId, name: 'Home' })
  const page = await api.pages.create({ configId, siteId, sectionId: section.id, name: 'Start' })
  await api.sections.update({ configId, siteId, id: section.id, rootPageId: page.id })
  await api.sites.update({ configId, siteId, homeSectionId: section.id })
  await api.sites.publish({ configId, siteId })
  await server.quire.settled()
  const html = await (await read('/sites/magazine/')).text()
  const visible = Array.from(
    html.matchAll(/(?:href|src)="([^"]+)"/g),
    ([, link = '']) => `/sites/magazine/${link}`,
  )
  const ofPicture = `/api/published/assets/${configId}/${logo}`
  files = [...visible, `${ofPicture}/original`, `${ofPicture}/thumbnail`, `/api/embed/${configId}/${logo}`]
})
afterAll(() => server.close())

/** Reads as an anonymous caller. */
function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, { headers, redirect: 'manual' })
}

describe('a site', () => {
  it.each(['/sites/magazine/', '/sites/magazine/sitemap.xml', '/sites/magazine/nope/', '/sites/nowhere/'])(
    'answers at %s whatever parameters are added',
    async (address) => {
      const plain = await read(address)
      const response = await read(`${address}?${added}`)
      expect(response.status).toBe(plain.status)
      for (const header of ['etag', 'vary', 'cache-control', 'content-type'])
        expect([header, response.headers.get(header)]).toEqual([header, plain.headers.get(header)])
    },
  )

  it('serves stylesheets and pictures at addresses with a version or other parameters', async () => {
    expect(files).toHaveLength(5)
    for (const address of files) {
      const plain = await read(address)
      const body = Buffer.from(await plain.arrayBuffer())
      expect([address, plain.status, body.length > 0]).toEqual([address, 200, true])
      for (const query of ['v=2', '20260101', 'v=2&v=3', added, '=', '&&']) {
        const response = await read(`${address}?${query}`)
        expect([query, response.status]).toEqual([query, 200])
        for (const header of ['etag', 'vary', 'cache-control', 'content-type'])
          expect([header, response.headers.get(header)]).toEqual([header, plain.headers.get(header)])
        expect(body.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
      }
    }
  })

  it('accepts forms that send parameters to the page, which stays the same', async () => {
    const plain = await (await read('/sites/magazine/')).text()
    expect(plain).toContain('<form method="get" action="">')
    // As browsers encode input: empty, words, quotes, other scripts, and very long text.
    for (const typed of ['', 'oak galls', '50 % "ink" & <b>', 'Größe+Maß', 'x'.repeat(2000)]) {
      const response = await read(`/sites/magazine/?${new URLSearchParams({ q: typed }).toString()}`)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(plain)
    }
    // The policy does not stop a browser from sending the form.
    const policy = (await read('/sites/magazine/')).headers.get('content-security-policy')
    expect(policy).toContain('allow-forms')
    expect(policy).not.toContain('form-action')
  })

  it('is one cache entry, whatever cookies visitors have', async () => {
    for (const headers of [{}, { cookie: '_ga=GA1.1' }, { cookie: 'token=x' }]) {
      const response = await read('/sites/magazine/', headers)
      expect(response.headers.get('cache-control')).toBe('public, max-age=60')
      expect(response.headers.get('vary') ?? '').not.toMatch(/cookie|authorization/i)
    }
  })

  it.each([
    ['/sites/magazine/nope/', 404, 'Not found'],
    ['/sites/magazine/nope.css', 404, 'Not found'],
    ['/sites/nowhere/', 401, 'Not public'],
  ])(
    'answers %s with a page for browsers with status %i, and in JSON for others',
    async (address, status, title) => {
      const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
      const page = await read(address, { accept: browser })
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain(`<h1>${title}</h1>`)
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      expect(page.headers.get('cache-control')).toBe('no-store')
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
        const response = await read(address, { accept })
        expect([response.status, await response.json()]).toMatchObject([status, { error: true }])
      }
    },
  )

  it('can be previewed at an address with added parameters', async () => {
    const address = `/api/sites/${configId}/${siteId}/preview/`
    const plain = await server.fetch(address)
    const response = await server.fetch(`${address}?utm_source=letter&v=2`)
    expect([plain.status, response.status]).toEqual([200, 200])
    expect(await response.text()).toBe(await plain.text())
  })
})
