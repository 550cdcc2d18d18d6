import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administratorToken } from '../server/api-access.ts'
import { ask, askJson } from '../uploads/ask.ts'
import { Location, repository } from '../uploads/location.ts'
import { fillWhole, freeDisk, mountSmall, unmount, whyNoMount } from '../uploads/small-disk.ts'

const unmountable = whyNoMount()

let location: Location
beforeEach(async ({ skip }) => {
  if (unmountable !== null) skip(unmountable)
  location = new Location()
  mountSmall(location.folder, 64)
  await location.open()
  await askJson(location, '/api/content/management/types', {
    name: 'note',
    fields: [{ name: 'text', kind: 'text' }],
  })
}, 60_000)
afterEach(async () => {
  if (unmountable !== null) return
  await location.kill()
  unmount(location.folder)
  await location.close()
})

const save = (name: string) =>
  askJson(location, '/api/items', { repositoryId: repository, type: 'note', name, fields: { text: 'Ink' } })

describe('a disk without a free byte', () => {
  it.each(['stopped', 'killed'] as const)(
    'does not prevent a start and reads of a service that was %s',
    async (how) => {
      const saved = await save('One')
      const { id }: { id: string } = JSON.parse(saved.body.toString())
      if (how === 'killed') await location.kill()
      fillWhole(location.folder)
      if (how === 'stopped') await location.server.stop()
      fillWhole(location.folder)
      await location.start()
      expect((await ask(location, { path: `/api/items/${repository}/${id}` })).status).toBe(200)
      expect((await ask(location, { path: `/api/items/${repository}` })).status).toBe(200)
      await administratorToken(location.url)
      const refused = await save('Two')
      expect([refused.status, refused.body.toString()]).toEqual([
        507,
        expect.stringContaining('must stay free'),
      ])
      expect(location.server.lines.join('\n')).toContain('"event":"disk.low"')
      const health = JSON.parse((await ask(location, { path: '/api/admin/health' })).body.toString())
      expect(health.status).toBe('degraded')
      expect((await ask(location, { path: '/readyz' })).status).toBe(200)
      expect((await ask(location, { method: 'DELETE', path: `/api/items/${repository}/${id}` })).status).toBe(
        204,
      )
      freeDisk(location.folder)
      expect((await save('Two')).status).toBe(201)
    },
    60_000,
  )
})
