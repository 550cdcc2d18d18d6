import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { fastify } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { quirePlugin, type QuirePluginOptions } from '../http/plugin.ts'
import { createServer, type ServerOptions } from '../http/server.ts'

function engine(baseUrl: string) {
  const quire = createQuire({ store: createMemoryStore(), baseUrl })
  onTestFinished(() => quire.close())
  return quire
}

function served(options: Partial<ServerOptions> = {}) {
  const baseUrl = 'https://quire.test'
  const app = createServer({ quire: engine(baseUrl), baseUrl, ...options })
  onTestFinished(() => app.close())
  return app
}

async function mounted(options: Partial<QuirePluginOptions>) {
  const app = fastify()
  await app.register(quirePlugin, { quire: engine('https://quire.test/cms'), prefix: '/cms', ...options })
  onTestFinished(() => app.close())
  return app
}

/** The addresses of the files that a page loads. */
const filesOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path)

it('is a page at every address below /console/, whose files never change', async () => {
  const app = served()
  const page = await app.inject('/console/magazine/packages/agent%2Fscribe%2F1/changes?cursor=x')
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('<base href="/console/"')
  expect(page.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    'content-type': 'text/html; charset=utf-8',
  })
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe')
  expect(filesOf(page.body).length).toBeGreaterThanOrEqual(2)
  for (const path of filesOf(page.body)) {
    const { statusCode, headers } = await app.inject({
      url: `/console/${path}`,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect([statusCode, headers['cache-control'], headers['content-encoding']], path).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'gzip',
    ])
  }
})

it('leads to the address with a slash, and has nothing else', async () => {
  const app = served()
  const lead = await app.inject('/console')
  expect([lead.statusCode, lead.headers.location]).toEqual([308, './console/'])
  for (const path of ['assets/none.js', 'assets/', 'assets/..%2Findex.html', 'assets/..%2F..%2Fpackage.json'])
    expect((await app.inject(`/console/${path}`)).statusCode, path).toBe(404)
})

it('works below the prefix of a plugin that was told to serve it', async () => {
  const app = await mounted({ console: 'on' })
  expect((await app.inject('/cms/console/magazine')).body).toContain('<base href="/cms/console/"')
  expect((await (await mounted({})).inject('/cms/console/')).statusCode).toBe(404)
})

it('can be switched off', async () => {
  const app = served({ console: 'off' })
  expect((await app.inject('/console/')).statusCode).toBe(404)
  expect((await app.inject('/')).body).not.toContain('console')
})
