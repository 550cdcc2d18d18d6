import { describe, expect, it } from 'vitest'
import { createQuire, systemIdentity } from '../../index.ts'
import { createMemoryStore } from '../../memory/index.ts'

describe('a search', () => {
  it.each([3, 1001])(
    'finds items by the names of their categories on a branch with %d categories',
    async (count) => {
      const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
      const configId = 'magazine'
      const { id: repositoryId } = await api.repositories.create({ name: configId })
      await api.types.create({ name: 'note' })
      const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'Subjects' })
      const category = (name: string) => api.categories.create({ configId, taxonomyId, name })
      const ink = await category('Iron gall ink')
      for (let n = 1; n < count; n++) await category(`Other ${n}`)
      const note = { repositoryId, type: 'note', categories: [ink.id] }
      const { id } = await api.items.create({ ...note, name: 'A recipe' })
      const found = async (text: string) =>
        (await api.queries.run({ configId, text })).items.map((item) => item.id)
      expect(await found('gall recipe')).toEqual([id])
      expect(await found('"iron gall"')).toEqual([id])
      expect(await found('"gall iron"')).toEqual([])
      expect(await found('bark')).toEqual([])
      await api.categories.update({ configId, taxonomyId, id: ink.id, name: 'Bark' })
      expect(await found('bark')).toEqual([id])
      expect(await found('gall')).toEqual([])
      await api.items.decategorize({ configId, id, categoryId: ink.id })
      expect(await found('bark')).toEqual([])
    },
  )
})
