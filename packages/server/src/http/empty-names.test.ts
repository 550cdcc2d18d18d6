import { endpoints } from '@quire/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

let server: Serving
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server.app.close())

/** The addresses of a path without one of its parameters, and the one with an extra slash. */
function spoiled(template: string): string[] {
  const filled = (empty?: string) =>
    template.replaceAll(/\{(\w+)\*?\}/g, (_name, name) => (name === empty ? '' : 'magazine'))
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => filled(name))
  return template.endsWith('*}') ? names : [...names, `${filled()}/`]
}

const addresses = endpoints.flatMap(({ endpoint: { method, path, packagePath } }) =>
  [path, packagePath ?? path].flatMap(spoiled).map((address) => `${method} ${address}`),
)

describe('an address with an empty parameter, or a slash at its end', () => {
  it('is 404 with our message, whatever the address without it is', async () => {
    expect(addresses.length).toBeGreaterThan(500)
    for (const address of new Set(addresses)) {
      const [method = '', path = ''] = address.split(' ')
      const response = await server.fetch(path, { method, redirect: 'manual' })
      const body = await response.text()
      expect([address, response.status, body.includes('Too small')]).toEqual([address, 404, false])
    }
  })

  it('does nothing', async () => {
    const before = await server.api.items.list({ configId: 'magazine' })
    expect((await server.fetch('/api/items/magazine/', { method: 'DELETE' })).status).toBe(404)
    expect(await server.api.items.list({ configId: 'magazine' })).toEqual(before)
  })
})
