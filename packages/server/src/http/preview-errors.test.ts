import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

const configId = 'magazine'

let server: Serving
let path: string

beforeAll(async () => {
  server = await serve()
  const { api } = server
  const { id: siteId } = await api.sites.create({
    configId,
    name: 'Broken',
    slug: 'broken',
    templates: { page: 'No <b>{% if %}{% endfor %}' },
  })
  const at = { configId, siteId }
  const home = await api.sections.create({ ...at, name: 'Home' })
  await api.pages.create({ ...at, sectionId: home.id, name: 'Start' })
  path = `/api/sites/${configId}/${siteId}/preview`
})
afterAll(() => server.app.close())

function read(address: string, accept: string): Promise<Response> {
  const headers = { authorization: `Bearer ${server.token}`, accept }
  return fetch(`${server.baseUrl}${address}`, { headers })
}

describe('an error of a preview', () => {
  it('is a page with its message for people who work on it in a browser', async () => {
    const response = await read(`${path}/home/start/`, 'text/html,*/*;q=0.8')
    expect([response.status, response.headers.get('content-type')]).toEqual([409, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    const html = await response.text()
    expect(html).toContain('template "page", line 1')
    expect(html).toContain(response.headers.get('x-request-id'))
    const absent = await read(`${path}/<script>`, 'text/html,*/*;q=0.8')
    expect([absent.status, await absent.text()]).toEqual([404, expect.not.stringContaining('<script>')])
    const forgotten = await read('/api/content/management/page-diffs/gone', 'text/html,*/*;q=0.8')
    expect([forgotten.status, await forgotten.text()]).toEqual([404, expect.stringContaining('<h1>')])
  })

  it('is JSON for a program', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.5,application/json']) {
      const response = await read(`${path}/home/start/`, accept)
      expect([response.status, await response.json()]).toMatchObject([409, { code: 'invalid_state' }])
    }
  })
})
