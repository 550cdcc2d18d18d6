import { describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import { anIntegration } from './integrations.ts'
import type { Bench } from '../host.ts'
import { upstream } from './upstream.ts'

/** Which requests are proxied, for whom, and how many. */
export function integrationRightsTests(bench: () => Bench): void {
  describe('integrations', () => {
    it('are listed if they allow any request, without address and credentials', async () => {
      const { api, as } = bench()
      const rules = { allowedMethods: ['GET'], allowedPaths: ['/a/*'] }
      const id = await anIntegration(api, { ...rules, apiKey: 'sk-CANARY', name: 'Open' })
      await anIntegration(api, { ...rules, allowedPaths: [] })
      await anIntegration(api, { ...rules, allowedMethods: [] })
      await api.admin.generateKey({ name: 'No address', type: 'http', ...rules } as never)
      const developer = await as({ bundles: ['bundle.developer'] })
      const list = await developer.integrations.list()
      expect(list).toEqual({ count: 1, items: [{ id, name: 'Open', type: 'http', ...rules }] })
    })

    it('only proxy the methods and paths that they allow', async () => {
      const { api, scope } = bench()
      const accessId = await anIntegration(api, {
        allowedMethods: ['GET', 'POST'],
        allowedPaths: ['/echo/*/end', '/status/**'],
      })
      const before = scope.outbound.sent.length
      await allFailing(
        [
          api.integrations.pass({ accessId, path: 'echo/a/end', method: 'DELETE' }),
          api.integrations.pass({ accessId, path: 'echo/a/b/end', method: 'GET' }),
          api.integrations.pass({ accessId, path: 'echo', method: 'GET' }),
          api.integrations.pass({ accessId, path: 'Status/200', method: 'GET' }),
        ],
        'forbidden',
      )
      expect(scope.outbound.sent.length).toBe(before)
      for (const path of ['echo/a/end', 'status/200', 'status/201/more'])
        expect((await api.integrations.pass({ accessId, path, method: 'GET' })).status).toBeLessThan(300)
    })

    it('are not found if they allow nothing or do not exist', async () => {
      const { api } = bench()
      const accessId = await anIntegration(api, { allowedMethods: [] })
      for (const id of [accessId, 'ACCS_NONE'])
        await failing(api.integrations.pass({ accessId: id, path: 'echo', method: 'GET' }), 'not_found')
    })

    it('require their key', async () => {
      const { api, as, anonymous } = bench()
      const accessId = await anIntegration(api)
      const input = { accessId, path: 'echo', method: 'GET' } as const
      const editor = await as({ bundles: ['bundle.publisher'] })
      await allFailing([editor.integrations.list(), editor.integrations.pass(input)], 'forbidden')
      await allFailing([anonymous.integrations.list(), anonymous.integrations.pass(input)], 'unauthorized')
      const user = await as({ permissions: { global: ['integrations.use'] } })
      expect((await user.integrations.pass(input)).status).toBe(200)
    })

    it('count the requests of each caller until the period is over', async () => {
      const { api, as, scope } = bench()
      const accessId = await anIntegration(api, { budget: { requests: 2, per: 'minute' } })
      const input = { accessId, path: 'echo', method: 'GET' } as const
      const one = await as({ permissions: { global: ['integrations.use'] } })
      const other = await as({ permissions: { global: ['integrations.use'] } })
      scope.clock.advance(60_000 - (scope.clock.now() % 60_000) + 10_000)
      for (const user of [one, one, other]) expect((await user.integrations.pass(input)).status).toBe(200)
      const before = scope.outbound.sent.length
      const error = await failing(one.integrations.pass(input), 'too_many_requests')
      expect(error).toMatchObject({ details: { retryAfter: 50 } })
      expect(scope.outbound.sent.length).toBe(before)
      expect((await other.integrations.pass(input)).status).toBe(200)
      scope.clock.advance(50_000)
      expect((await one.integrations.pass(input)).status).toBe(200)
    })

    it('do not lead elsewhere when the access configuration is deleted', async () => {
      const { api } = bench()
      const accessId = await anIntegration(api, { baseUrl: upstream })
      await api.access.delete({ id: accessId })
      await failing(api.integrations.pass({ accessId, path: 'echo', method: 'GET' }), 'not_found')
    })
  })
}
