import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser, skipped, watch } from '../../test/chromium.ts'
import { serve, type Serving } from '../../test/serving.ts'
import { graphFiles } from './assets.ts'

let server: Serving
let address = ''
beforeAll(async () => {
  server = await serve()
  address = `${server.baseUrl}/api-docs/graphql/magazine`
})
afterAll(() => server.app.close())

describe('the explorer of a graph', () => {
  it.each([
    ['/api-docs/graphql/magazine', 'text/html'],
    ['/api-docs/graphiql/start.js', 'text/javascript'],
    ...Object.entries(graphFiles).map(([name, type]) => [`/api-docs/graphiql/${name}`, type]),
  ])('%s is served to everybody as %s, under a policy without inline scripts', async (path, type) => {
    const response = await fetch(`${server.baseUrl}${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toContain('unsafe-eval')
    expect((await response.text()).length).toBeGreaterThan(100)
  })

  it('is turned off together with the API explorer', async () => {
    const silent = await serve({ explorer: 'off' })
    expect((await silent.fetch('/api-docs/graphql/magazine')).status).toBe(404)
    expect((await silent.fetch('/api-docs/graphiql/graphiql.js')).status).toBe(404)
    await silent.app.close()
  })
})

it.skipIf(!browserPath)(
  `the explorer of a graph asks for a token and uses it, contacts no other host and violates no policy${skipped}`,
  { timeout: 60_000 },
  async () => {
    const browser = await launchBrowser()
    const page = await browser.newPage()
    const seen = watch(page)
    await page.goto(address)
    expect(await page.title()).toBe('magazine · GraphQL · Quire')
    await page.getByLabel('Access token').fill('wrong')
    await page.getByRole('button', { name: 'Open the graph' }).click()
    await page.getByText('This token is not valid').waitFor()
    await page.getByLabel('Access token').fill(server.token)
    await page.getByRole('button', { name: 'Open the graph' }).click()
    const answer = page.locator('.graphiql-response')
    await page.getByRole('button', { name: 'Execute query' }).click()
    await answer.getByText('"articles"').waitFor()
    await browser.close()
    expect(seen.errors.filter((text) => !text.includes('401'))).toEqual([])
    expect(seen.hosts).toEqual(new Set([new URL(server.baseUrl).host]))
  },
)
