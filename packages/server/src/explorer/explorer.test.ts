import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser, skipped, watch } from '../../test/chromium.ts'
import { serve, type Serving } from '../../test/serving.ts'

let server: Serving
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server.app.close())

describe('the explorer', () => {
  it.each([
    ['/api-docs', 'text/html'],
    ['/api-docs/start.js', 'text/javascript'],
    ['/api-docs/swagger-ui.css', 'text/css'],
    ['/api-docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/api-docs/openapi.json', 'application/json'],
  ])('%s is served to everybody as %s, under a policy without inline scripts', async (path, type) => {
    const response = await fetch(`${server.baseUrl}${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toContain('unsafe')
  })

  it('describes this service', async () => {
    const response = await fetch(`${server.baseUrl}/api-docs/openapi.json`)
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://quire.test' }] })
  })

  it('is not sent again to a client that has the document', async () => {
    const url = `${server.baseUrl}/api-docs/openapi.json`
    const tag = (await fetch(url)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]+"$/)
    const again = await fetch(url, { headers: { 'if-none-match': tag } })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
    expect((await fetch(url, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
  })

  it('cannot be left by paths outside of its folder', async () => {
    for (const path of [
      '/api-docs/package.json',
      '/api-docs/..%2fpackage.json',
      '/api-docs/static/index.html',
    ]) {
      expect((await fetch(`${server.baseUrl}${path}`)).status).toBe(404)
    }
  })

  it('can be turned off', async () => {
    const silent = await serve({ explorer: 'off' })
    expect((await silent.fetch('/api-docs')).status).toBe(404)
    expect((await silent.fetch('/api-docs/openapi.json')).status).toBe(404)
    await silent.app.close()
  })

  it.skipIf(!browserPath)(
    `shows the operations in a browser, contacts no other host and violates no policy${skipped}`,
    // The first start of a browser reads all of its files from the disk.
    { timeout: 60_000 },
    async () => {
      const started = await launchBrowser()
      const page = await started.newPage()
      const seen = watch(page)
      await page.goto(`${server.baseUrl}/api-docs`, { waitUntil: 'networkidle' })
      await page.locator('.opblock-tag').first().waitFor()
      const visible = await page.locator('.opblock-tag').count()
      await started.close()
      const { tags }: { tags: unknown[] } = await (
        await fetch(`${server.baseUrl}/api-docs/openapi.json`)
      ).json()
      expect(visible).toBe(tags.length)
      expect(visible).toBeGreaterThan(0)
      expect(seen.errors).toEqual([])
      expect(seen.hosts).toEqual(new Set([new URL(server.baseUrl).host]))
    },
  )
})
