import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveAssets, someBytes, type AssetServing } from '../../test/asset-serving.ts'

const configId = 'magazine'
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const depths = [
  'nope',
  'nope/',
  'a/b/c/nope',
  'a/b/c/nope.html',
  'start/nope/',
  'assets/nope.png',
  '404.html',
]

let server: AssetServing
let siteId: string

beforeAll(async () => {
  server = await serveAssets()
  const { api } = server
  await api.repositories.update({ id: configId, public: true })
  const { id: fileId } = await server.upload(someBytes(2000), { name: 'lost.css' })
  await api.items.publish({ configId, id: fileId })
  const templates = {
    layout: '<!doctype html><title>{{ page.name }}</title>{{ content }}',
    page: '<h1>{{ page.name }}</h1>',
    'not-found':
      '<h1>Lost</h1><link rel="stylesheet" href="{{ site.settings.css | file }}"><a href="{{ site.url }}">Home</a>' +
      '{% for one in site.sections %}{% for page in one.pages %}<a href="{{ page.url }}">{{ page.name }}</a>{% endfor %}{% endfor %}',
  }
  const settings = { css: fileId }
  const site = await api.sites.create({ configId, name: 'Lost', slug: 'lost', templates, settings })
  siteId = site.id
  const section = await api.sections.create({ configId, siteId, name: 'Home' })
  const page = await api.pages.create({ configId, siteId, sectionId: section.id, name: 'Start' })
  await api.pages.create({ configId, siteId, sectionId: section.id, name: 'Über' })
  await api.sections.update({ configId, siteId, id: section.id, rootPageId: page.id })
  await api.sites.update({ configId, siteId, homeSectionId: section.id })
  await api.sites.publish({ configId, siteId })
  await server.quire.settled()
})
afterAll(() => server.close())

/** Reads as an anonymous caller. */
function read(path: string, headers: Readonly<Record<string, string>> = browser, method = 'GET') {
  return fetch(`${server.baseUrl}${path}`, { method, headers, redirect: 'manual' })
}

/** The targets of the links of a document, as a browser resolves them. */
function linksOf(html: string, url: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => new URL(href, url).href)
}

describe('a site with a not-found page', () => {
  it.each(depths)('shows it to browsers at %s, with links that work there', async (path) => {
    const response = await read(`/sites/lost/${path}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const html = await response.text()
    expect(html).toContain('<title>Not found</title><h1>Lost</h1>')
    const links = linksOf(html, response.url)
    expect(links.map((link) => new URL(link).pathname)).toEqual([
      expect.stringMatching(/^\/sites\/lost\/assets\//),
      '/sites/lost/',
      '/sites/lost/',
      '/sites/lost/uber/',
    ])
    for (const link of links) expect([link, (await read(new URL(link).pathname)).status]).toEqual([link, 200])
  })

  it('sends it with the headers of an error, and the policy of its pages', async () => {
    const page = await read('/sites/lost/')
    const lost = await read('/sites/lost/nope/')
    expect(lost.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
    expect(lost.headers.get('cache-control')).toBe('no-store')
    expect(lost.headers.get('vary')).toMatch(/\bAccept\b/)
    expect(lost.headers.get('etag')).toBeNull()
    expect(lost.headers.get('x-content-type-options')).toBe('nosniff')
    const head = await read('/sites/lost/nope/', browser, 'HEAD')
    const names = ['content-type', 'content-length', 'content-security-policy', 'cache-control', 'vary']
    for (const name of names) expect([name, head.headers.get(name)]).toEqual([name, lost.headers.get(name)])
    expect([head.status, await head.text()]).toEqual([404, ''])
  })

  it('answers others in JSON', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0']) {
      const response = await read('/sites/lost/a/nope', { accept })
      expect([accept, response.status]).toEqual([accept, 404])
      expect(await response.json()).toMatchObject({ error: true, code: 'not_found' })
    }
  })

  it('sends it whole, whatever range or tag is requested', async () => {
    const whole = await (await read('/sites/lost/nope')).text()
    for (const headers of [{ range: 'bytes=0-3' }, { 'if-none-match': '*' }]) {
      const response = await read('/sites/lost/nope', { ...browser, ...headers })
      expect([response.status, await response.text()]).toEqual([404, whole])
    }
  })

  it('shows it in the preview, with links that stay in the preview', async () => {
    const root = `/api/sites/${configId}/${siteId}/preview/`
    const response = await server.fetch(`${root}a/b/nope`, { headers: browser })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).toContain("script-src 'none'")
    const [, ...pages] = linksOf(await response.text(), response.url)
    expect(pages.map((link) => new URL(link).pathname)).toEqual([root, root, `${root}uber/`])
    for (const link of pages) expect((await server.fetch(new URL(link).pathname)).status).toBe(200)
    const json = await server.fetch(`${root}a/b/nope`)
    expect([json.status, await json.json()]).toMatchObject([404, { code: 'not_found' }])
  })

  it('shows it only to callers who may see the site', async () => {
    const { api } = server
    await api.repositories.update({ id: configId, public: false })
    const stranger = await read('/sites/lost/nope/')
    expect([stranger.status, await stranger.text()]).toEqual([401, expect.not.stringContaining('Lost')])
    const seer = await server.fetch('/sites/lost/nope/', { headers: browser })
    expect([seer.status, await seer.text()]).toEqual([404, expect.stringContaining('<h1>Lost</h1>')])
    expect(seer.headers.get('content-security-policy')).toContain("script-src 'none'")
    await api.repositories.update({ id: configId, public: true })
  })
})
