import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noRateLimits } from '../index.ts'
import { serve, type Serving } from '../../test/serving.ts'

const configId = 'magazine'
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const root = 'http://quire.test/sites/visited'

let server: Serving

beforeAll(async () => {
  server = await serve()
  await publish(server)
})
afterAll(() => server.app.close())

/** A public site with a home page, and a page that moved. */
async function publish({ api, quire }: Serving): Promise<void> {
  await api.repositories.update({ id: configId, public: true })
  const { id: siteId } = await api.sites.create({ configId, name: 'Visited', slug: 'visited' })
  const at = { configId, siteId }
  const home = await api.sections.create({ ...at, name: 'Home' })
  const news = await api.sections.create({ ...at, name: 'News' })
  const start = await api.pages.create({ ...at, sectionId: home.id, name: 'Start' })
  const page = await api.pages.create({ ...at, sectionId: news.id, name: 'Old' })
  await api.sections.update({ ...at, id: home.id, rootPageId: start.id })
  await api.sites.update({ ...at, homeSectionId: home.id })
  await api.sites.publish(at)
  await quire.settled()
  await api.pages.update({ ...at, id: page.id, slug: 'new' })
  await api.sites.publish(at)
  await quire.settled()
}

/** Reads as an anonymous caller. */
function read(path: string, init: RequestInit = {}, { baseUrl } = server): Promise<Response> {
  return fetch(`${baseUrl}${path}`, { headers: browser, redirect: 'manual', ...init })
}

describe('a visitor of a site', () => {
  it.each([
    ['news/new', '/news/new/'],
    ['news/new/index.html', '/news/new/'],
    ['/news/new/', '/news/new/'],
    ['news//new', '/news/new/'],
    ['news/new//', '/news/new/'],
    ['/', '/'],
    ['index.html', '/'],
    ['news/old/', '/news/new/'],
    ['news/old/index.html', '/news/new/'],
  ])('who requests %s is redirected to the canonical path', async (path, address) => {
    for (const search of ['', '?utm_source=letter&v=%C3%BC']) {
      const response = await read(`/sites/visited/${path}${search}`)
      expect([response.status, response.headers.get('location')]).toEqual([301, `${root}${address}${search}`])
      expect(response.headers.get('cache-control')).toBe('public, max-age=60')
      expect(response.headers.get('vary') ?? '').not.toMatch(/cookie/i)
    }
    expect((await read(`/sites/visited${address}?v=2`)).status).toBe(200)
  })

  it.each([
    'robots.txt/',
    '/robots.txt',
    'robots.txt/index.html',
    'news/',
    'NEWS/new/',
    'news/new/index.htm',
  ])('finds nothing at %s', async (path) => expect((await read(`/sites/visited/${path}`)).status).toBe(404))

  it('who leaves out the final slash of the site is redirected, wherever the site is mounted', async () => {
    for (const [path, location] of [
      ['/sites/visited', './visited/'],
      ['/sites/visited?fbclid=a&b=c?d', './visited/?fbclid=a&b=c?d'],
      ['/sites/a:b', './a:b/'],
    ] as const) {
      const response = await read(path)
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 301, location])
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it.each([
    ['/sites/', 404],
    ['/sites//', 404],
    ['/sites/Visited/', 400],
    [`/sites/${'m'.repeat(150)}/`, 400],
    ['/sites/visited/%00', 400],
  ])('who requests %s gets a page with status %i, and a program gets JSON', async (path, status) => {
    const page = await read(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<h1>')
    const response = await read(path, { headers: { accept: '*/*' } })
    expect([response.status, await response.json()]).toMatchObject([status, { error: true }])
  })

  it('who sends too many requests gets a page, and the time to retry', async () => {
    const rates = { ...noRateLimits, anonymous: { perSecond: 1, burst: 1 } }
    const slow = await serve({ rates })
    await publish(slow)
    const answers = []
    for (let count = 0; count < 4; count++) answers.push(await read('/sites/visited/', {}, slow))
    const refused = answers.find(({ status }) => status === 429)
    expect(await refused?.text()).toContain('<h1>Too many requests</h1>')
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
    await slow.app.close()
  })

  it.each(['OPTIONS', 'POST', 'PUT', 'DELETE'])('who sends %s gets the allowed methods', async (method) => {
    for (const path of ['/sites/visited/', '/sites/nowhere/', '/api/published/items/magazine']) {
      const response = await read(path, { method })
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
    }
  })
})
