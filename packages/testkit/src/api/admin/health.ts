import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'

export function healthTests(bench: () => Bench): void {
  describe('health', () => {
    it('covers everything that the service depends on', async () => {
      const { api, scope, system } = bench()
      const { id } = await system.repositories.create({ name: 'healthy' })
      await system.types.create({ name: 'leaf', fields: [] })
      await system.items.create({ repositoryId: id, type: 'leaf', name: 'One' })
      const { status, time, checks } = await api.admin.health()
      expect(status).toBe('ok')
      expect(time).toBe(scope.clock.now())
      expect(checks.map((check) => [check.name, check.status, check.message])).toEqual([
        ['store', 'ok', ''],
        ['blobs', 'ok', ''],
        ['queue', 'ok', ''],
        ['search', 'ok', ''],
      ])
      for (const { ms } of checks) expect(ms).toBeLessThan(2000)
      const detailsOf = (name: string) => checks.find((check) => check.name === name)?.details
      expect(detailsOf('queue')).toEqual({ waitingMs: 0, running: 0 })
      expect(detailsOf('search')).toEqual({ repositories: 1, entities: 1 })
    })

    it('requires permission to see the settings', async () => {
      const { as, anonymous } = bench()
      const viewer = await as({ permissions: { global: ['admin.settings.view'] } })
      expect((await viewer.admin.health()).status).toBe('ok')
      const developer = await as({ bundles: ['bundle.developer'] })
      await failing(developer.admin.health(), 'forbidden')
      await failing(anonymous.admin.health(), 'unauthorized')
    })
  })
}
