import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const program = 'writer/1.2 (test)'

/** What programs leave in the activity. */
export function agentTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const article = (name: string) => anArticle({ name, fields: { title: name } })

  describe('the program of a call', () => {
    it('is in the entries of the call, in every log, and in no other', async () => {
      const { api } = bench()
      const { id } = await api.items.create(article('By a program'), { program })
      await api.items.publish({ configId, id }, { program })
      await api.items.update({ configId, id, name: 'By hand' })
      const log = await api.activity.list({ configId, entityId: id })
      expect(log.items.map((entry) => entry.program)).toEqual([undefined, program, program])
      const { activity } = await api.activity.get({ configId, assetId: id })
      expect(activity.map((entry) => entry.program)).toEqual([undefined, program, program])
      await api.roles.create({ name: 'By a program' }, { program })
      const [newest] = (await api.security.audit({ limit: 1 })).items
      expect(newest).toMatchObject({ event: 'ROLE_CREATED', program })
    })

    it('is in the entries of everything that the call does', async () => {
      const { api } = bench()
      const { id: one } = await api.items.create(article('One of two'))
      const { id: two } = await api.items.create(article('Two of two'))
      await api.items.bulk({ configId, ids: [one, two], action: 'publish' }, { program })
      const { items } = await api.activity.list({ configId, event: 'ITEM_PUBLISHED', limit: 2 })
      expect(items.map((entry) => entry.program)).toEqual([program, program])
    })

    it.each(['', ' ', 'x'.repeat(201)])(
      'is left out if it is %j, and the call succeeds',
      async (unusable) => {
        const { api } = bench()
        const { id } = await api.items.create(article('Unnamed'), { program: unusable })
        const [entry] = (await api.activity.list({ configId, entityId: id })).items
        expect(entry).not.toHaveProperty('program')
      },
    )
  })
}
