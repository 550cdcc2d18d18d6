import { afterAll, beforeAll, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

const repo = 'magazine'
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let server: Serving

beforeAll(async () => {
  server = await serve()
})
afterAll(() => server.app.close())

async function aLink() {
  const { api } = server
  const { name: packageName } = await api.packages.create({ repo, name: 'Spring/issue' })
  const { url, id } = await api.packages.addShareLink({ repo, packageName })
  return { path: new URL(url).pathname, ref: { repo, packageName, id } }
}

it('opens the address of a share link in a browser, until it is revoked', async () => {
  const { api, baseUrl } = server
  const { path, ref } = await aLink()
  const visit = (address: string) => fetch(`${baseUrl}${address}`, { headers: browser, redirect: 'manual' })
  const moved = await visit(`${path.slice(0, -1)}?fbclid=1`)
  expect(moved.status).toBe(301)
  expect(moved.headers.get('location')).toMatch(/^\.\/[\w-]{43}\/\?fbclid=1$/)
  const answer = await visit(`${path}?fbclid=1`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('Spring/issue')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    'content-security-policy': expect.stringContaining("script-src 'none'"),
  })
  const changes = await visit(`${path}changes`)
  expect(changes.status).toBe(200)
  expect(changes.headers.get('x-robots-tag')).toBe('noindex')
  expect(await changes.text()).toContain('No page changes.')
  await api.packages.removeShareLink(ref)
  const gone = await visit(path)
  expect(gone.status).toBe(404)
  expect(gone.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await gone.text()).toContain('Ask for a new one.')
})
