import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

/** Repositories and who sees them. */
export function repositoryTests(bench: () => Bench): void {
  describe('repositories', () => {
    it('creates, finds by id and name, changes and deletes', async () => {
      const { repositories } = bench().api
      const made = await repositories.create({ name: 'first-one', settings: { allowedTypes: ['article'] } })
      expect(made).toMatchObject({
        displayName: 'first-one',
        public: false,
        settings: { graphql: { public: false } },
      })
      expect(await repositories.get({ id: made.id })).toEqual(made)
      expect(await repositories.get({ id: 'first-one' })).toEqual(made)
      const changed = await repositories.update({
        id: 'first-one',
        name: 'renamed',
        settings: { workflow: { enabled: true } },
      })
      expect(changed).toMatchObject({
        id: made.id,
        name: 'renamed',
        settings: { allowedTypes: ['article'], workflow: { enabled: true, autoMerge: false } },
      })
      await failing(repositories.get({ id: 'first-one' }), 'not_found')
      expect((await repositories.list()).items.map(({ id }) => id)).toContain(made.id)
      expect(await repositories.delete({ id: made.id })).toBeUndefined()
      await failing(repositories.get({ id: made.id }), 'not_found')
      await failing(repositories.update({ id: made.id }), 'not_found')
      await failing(repositories.delete({ id: made.id }), 'not_found')
    })

    it('have a style guide, which is absent until it is set and again after null', async () => {
      const { repositories } = bench().api
      const { id, settings } = await repositories.create({ name: 'in-style' })
      expect(settings).not.toHaveProperty('styleGuide')
      const styleGuide = 'Short sentences. No exclamation marks.'
      await repositories.update({ id, settings: { styleGuide } })
      await repositories.update({ id, settings: { graphql: { public: false } } })
      expect((await repositories.get({ id })).settings.styleGuide).toBe(styleGuide)
      const long = repositories.update({ id, settings: { styleGuide: 'x'.repeat(20_001) } })
      expect(await invalidAt(long)).toEqual(['settings.styleGuide'])
      const removed = await repositories.update({ id, settings: { styleGuide: null } })
      expect(removed.settings).not.toHaveProperty('styleGuide')
      const given = await repositories.create({ name: 'in-style-too', settings: { styleGuide } })
      expect(given.settings.styleGuide).toBe(styleGuide)
    })

    it('refuses names that are in use or reserved', async () => {
      const { repositories } = bench().api
      await repositories.create({ name: 'here' })
      const { id } = await repositories.create({ name: 'there' })
      await failing(repositories.create({ name: 'here' }), 'name_taken')
      await failing(repositories.update({ id, name: 'here' }), 'name_taken')
      for (const name of [
        'upload',
        'zip',
        'auto-package',
        'events',
        'status',
        'Upper',
        'a b',
        '-a',
        '_package',
        '',
      ]) {
        expect(await invalidAt(repositories.create({ name })), name).toEqual(['name'])
      }
      expect(await invalidAt(repositories.update({ id, name: 'upload' }))).toEqual(['name'])
    })

    it('does not delete a repository with items, and accepts only allowed types', async () => {
      const { api } = bench()
      await api.types.create({ name: 'allowed' })
      await api.types.create({ name: 'other' })
      const { id } = await api.repositories.create({
        name: 'strict',
        settings: { allowedTypes: ['allowed'] },
      })
      expect(await invalidAt(api.items.create({ repositoryId: id, type: 'other', name: 'x' }))).toEqual([
        'type',
      ])
      await api.items.create({ repositoryId: id, type: 'allowed', name: 'x' })
      await failing(api.repositories.delete({ id }), 'repository_in_use')
    })

    it('shows only repositories that the caller may read anything of', async () => {
      const { api, as } = bench()
      const seen = await api.repositories.create({ name: 'seen' })
      const unseen = await api.repositories.create({ name: 'unseen' })
      const reader = await as({ permissions: { repos: { [seen.id]: ['items.read'] } } })
      expect((await reader.repositories.list()).items).toEqual([seen])
      const hidden = await failing(reader.repositories.get({ id: unseen.name }), 'not_found')
      const absent = await failing(reader.repositories.get({ id: 'absent' }), 'not_found')
      expect(hidden.message.replace('unseen', 'absent')).toBe(absent.message)
      await failing(reader.items.list({ configId: unseen.id }), 'not_found')
      await failing(reader.repositories.update({ id: seen.id }), 'forbidden')
    })
  })
}
