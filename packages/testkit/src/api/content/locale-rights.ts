import type { Api, PermissionKey } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

type Block = Readonly<Record<string, string>>

/** The two blocks that the items of these tests have. */
function blocksIn(fields: Readonly<Record<string, unknown>> | undefined): readonly [Block, Block] {
  return fields?.['blocks'] as readonly [Block, Block]
}

/** Rights that are limited to locales. Runs after `localeTests`, which makes the type. */
export function localeRightsTests(bench: () => Bench): void {
  describe('rights limited to a locale', () => {
    const configId = 'by-locale'
    const packageName = 'german'
    const both: PermissionKey[] = ['items.update', 'items.publish']
    const reading: PermissionKey[] = ['items.read', 'packages.view', 'packages.diff.view', 'packages.merge']
    let repositoryId = ''

    /** A caller with the keys in an entry such as `:story@de`, who may read everything. */
    const limitedTo = (end: string, keys: readonly PermissionKey[] = both) =>
      bench().as({
        permissions: { global: reading, repos: { [`${repositoryId}${end}`]: [...keys] } },
      })

    const create = async (api: Api, name: string) => {
      const fields = {
        title: { en: 'Ink', de: 'Tinte', ar: 'حبر' },
        price: 1,
        seo: { heading: { en: 'Ink' }, index: true },
        blocks: [
          { type: 'prose', text: { en: 'One', ar: 'واحد' }, align: 'left' },
          { type: 'rule', width: 2 },
        ],
      }
      const item = { repositoryId: configId, type: 'story', name, locale: '*', fields }
      return { configId, id: (await api.items.create(item)).id }
    }

    it('permit the values of that locale, in blocks too, and name the first other change', async () => {
      const { api } = bench()
      ;({ id: repositoryId } = await api.repositories.create({ name: configId, settings: { locales } }))
      await api.packages.create({ repo: configId, name: packageName })
      const german = await limitedTo(':story@de', ['items.update'])
      const ref = await create(api, 'Ink')
      const { fields } = await api.items.get({ ...ref, locale: 'de', fallback: false })
      const [prose, rule] = blocksIn(fields)
      const translated = {
        title: 'Die Tinte',
        seo: { heading: 'Tinte' },
        blocks: [{ ...prose, text: 'Eins' }, rule],
      }
      await german.items.update({ ...ref, locale: 'de', fields: translated, name: 'Ink' })
      const whole = await api.items.get({ ...ref, locale: '*' })
      expect(whole.fields).toMatchObject({
        title: { en: 'Ink', de: 'Die Tinte', ar: 'حبر' },
        seo: { heading: { en: 'Ink', de: 'Tinte' }, index: true },
        blocks: [{ text: { en: 'One', de: 'Eins', ar: 'واحد' } }, { width: 2 }],
      })
      const blocks = blocksIn(whole.fields)
      const others: [string, Omit<Parameters<Api['items']['update']>[0], 'configId' | 'id'>][] = [
        ['name', { name: 'Other' }],
        ['slug', { slug: 'other' }],
        ['readPerm', { readPerm: ['ROLE_NONE'] }],
        ['categories', { categories: ['CATG_NONE'] }],
        ['folderId', { folderId: 'FOLD_NONE' }],
        ['fields.price', { locale: 'de', fields: { price: 2 } }],
        ['fields.none', { locale: 'de', fields: { none: 2 } }],
        ['fields.title.en', { fields: { title: 'Other' } }],
        ['fields.title.en', { locale: '*', fields: { title: null } }],
        ['fields.title.ar', { locale: '*', fields: { title: { de: 'Ja', ar: null } } }],
        ['fields.title.fr', { locale: '*', fields: { title: { fr: 'Encre' } } }],
        ['fields.seo.index', { locale: 'de', fields: { seo: { index: false } } }],
        ['fields.seo.heading.en', { locale: '*', fields: { seo: null } }],
        ['fields.blocks', { locale: 'de', fields: { blocks: [] } }],
        ['fields.blocks', { locale: '*', fields: { blocks: null } }],
        ['fields.blocks.0.type', { locale: '*', fields: { blocks: blocks.toReversed() } }],
        ['fields.blocks.0.align', { locale: 'de', fields: { blocks: [{ ...prose, align: 'right' }, rule] } }],
        ['fields.blocks.1.width', { locale: 'de', fields: { blocks: [prose, { ...rule, width: 3 }] } }],
      ]
      for (const [path, change] of others) {
        const { message } = await failing(german.items.update({ ...ref, ...change }), 'forbidden')
        expect(message).toBe(`Your roles limit items.update to de: they do not permit a change of ${path}.`)
      }
      expect(await api.items.get({ ...ref, locale: '*' })).toEqual(whole)
    })

    it('permit nothing else, whatever the way', async () => {
      const { api } = bench()
      const german = await limitedTo('@de')
      const ref = await create(api, 'Paper')
      const { id } = ref
      const base = { ...ref, packageName }
      await api.items.update({ ...ref, fields: { price: 2 } })
      const { message } = await failing(german.items.restore({ ...ref, version: 1 }), 'forbidden')
      expect(message).toContain('fields.price')
      // What others have changed since `baseVersion` is no change of this caller.
      await german.items.update({ ...ref, baseVersion: 1, locale: 'de', fields: { title: 'Papier' } })
      await failing(german.items.update({ ...ref, baseVersion: 1, fields: { title: 'Other' } }), 'forbidden')
      await german.items.restore({ ...ref, version: 2 })
      const before = await api.items.get({ ...ref, locale: '*' })
      const title = { ar: 'ورق' }
      await failing(german.items.update({ ...base, locale: '*', fields: { title } }), 'forbidden')
      await failing(german.items.move({ ...ref, folderId: null }), 'forbidden')
      await failing(german.items.archive(ref), 'forbidden')
      await failing(german.items.delete(ref), 'forbidden')
      await failing(german.items.copy(ref), 'forbidden')
      await failing(german.items.create({ repositoryId: configId, type: 'story', name: 'New' }), 'forbidden')
      await failing(german.translations.confirm({ configId, itemId: id, locale: 'ar' }), 'forbidden')
      await german.translations.confirm({ configId, itemId: id, locale: 'de' })
      const bulk = { configId, ids: [id], action: 'update' as const }
      const input = { locale: 'ar', fields: { title: 'ورق' } }
      expect(await german.items.bulk({ ...bulk, input })).toMatchObject({ failed: 1 })
      expect(await german.items.bulk({ ...bulk, action: 'move', input: { folderId: null } })).toMatchObject({
        failed: 1,
      })
      await failing(german.items.bulk({ ...bulk, input, atomic: true }), 'forbidden')
      expect(await api.items.get({ ...ref, locale: '*' })).toEqual({
        ...before,
        updatedDate: expect.anything(),
      })
      // Somebody else's change, which a limited caller would resolve in another way.
      await api.items.update({ ...base, locale: 'ar', fields: { title: 'ورقة' } })
      await api.items.update({ ...ref, locale: 'ar', fields: { title: 'أوراق' } })
      const merge = { repo: configId, packageName }
      const own = { id, path: 'fields.title.ar', value: 'x' }
      await failing(german.packages.merge({ ...merge, resolutions: [own] }), 'forbidden')
    })

    it('permit to publish in that locale, by name', async () => {
      const { api, scope } = bench()
      const german = await limitedTo('@de', ['items.publish'])
      const ref = await create(api, 'Quill')
      const base = { ...ref, packageName }
      await failing(german.items.update({ ...ref, locale: 'de', fields: { title: 'Feder' } }), 'forbidden')
      const limit = 'Your roles limit items.publish to de: '
      const messageOf = async (call: Promise<unknown>) => (await failing(call, 'forbidden')).message
      expect(await messageOf(german.items.publish(ref))).toBe(`${limit}name the locales in \`locales\`.`)
      expect(await messageOf(german.items.publish({ ...ref, locales: ['de', 'ar'] }))).toBe(
        `${limit}they do not permit ar.`,
      )
      expect(await messageOf(german.items.publish(base))).toBe(`${limit}name the locales in \`locales\`.`)
      const { publications: staged } = await german.items.publish({ ...base, locales: ['de'] })
      expect(Object.keys(staged ?? {})).toEqual(['de'])
      await german.items.unpublish({ ...base, locales: ['de'] })
      await api.items.publish({ ...ref, locales: ['en', 'ar'] })
      const { publications } = await german.items.publish({ ...ref, locales: ['de'] })
      expect(Object.keys(publications ?? {}).toSorted()).toEqual(['ar', 'de', 'en'])
      await failing(german.items.unpublish(ref), 'forbidden')
      await failing(german.items.unpublish({ ...ref, locales: ['en'] }), 'forbidden')
      const left = await german.items.unpublish({ ...ref, locales: ['de'] })
      expect(Object.keys(left.publications ?? {}).toSorted()).toEqual(['ar', 'en'])
      const at = scope.clock.now() + 60_000
      await german.items.publish({ ...ref, at, locales: ['de'] })
      await german.items.publish({ ...ref, at: null, locales: ['de'] })
      await api.items.publish({ ...ref, at })
      for (const time of [null, at + 1])
        expect(await messageOf(german.items.publish({ ...ref, at: time, locales: ['de'] }))).toBe(
          'It is scheduled in locales in which you may not publish.',
        )
      await api.items.publish({ ...ref, at: null })
    })

    it('count in repositories with that locale, and give no reading', async () => {
      const { api, as } = bench()
      const plain = await api.repositories.create({ name: 'by-no-locale' })
      const item = { repositoryId: plain.id, type: 'story', name: 'Ink', fields: { title: 'Ink' } }
      const { id } = await api.items.create(item)
      const repos = { [`${plain.id}@de`]: both, [`${repositoryId}@fr`]: both }
      const limited = await as({ permissions: { global: reading, repos } })
      await failing(limited.items.update({ configId: plain.id, id, fields: {} }), 'forbidden')
      await failing(limited.items.publish({ configId: plain.id, id }), 'forbidden')
      const ref = await create(api, 'Pen')
      await failing(limited.items.update({ ...ref, fields: {} }), 'forbidden')
      const blind = await as({ permissions: { repos: { [`${repositoryId}@de`]: both } } })
      await failing(blind.items.get(ref), 'forbidden')
      await failing(blind.items.update({ ...ref, locale: 'de', fields: {} }), 'not_found')
    })

    it('are explained by locale', async () => {
      const { as } = bench()
      const keys = { [`${repositoryId}:story@de`]: both }
      const german = await as({ permissions: { repos: keys } })
      const explain = 'items.update' as const
      const explained = async (repo: string) =>
        (await german.auth.myPermissions({ explain, repo })).explanation
      const source = `permissions.repos.${repositoryId}:story@de`
      expect((await german.auth.myPermissions()).repos).toEqual({
        [`${repositoryId}:story@de`]: both.toSorted(),
      })
      expect(await explained(`${configId}:story@de`)).toMatchObject({ allowed: true, grants: [{ source }] })
      for (const other of [configId, `${configId}:story`, `${configId}:story@ar`, `${configId}@de`])
        expect(await explained(other)).toMatchObject({ allowed: false, grants: [] })
    })

    it('can be limited for two keys, and granted by those who hold as much', async () => {
      const { as, system } = bench()
      const role = (repos: Record<string, PermissionKey[]>) => ({
        name: 'Translators',
        permissions: { repos },
      })
      const wrong = { [`${repositoryId}@de`]: ['items.read', 'items.update'] satisfies PermissionKey[] }
      const { issues } = await failing(system.roles.create(role(wrong)), 'invalid')
      expect(issues).toEqual([
        {
          path: `permissions.repos.${repositoryId}@de.0`,
          message: '"items.read" cannot be limited to a locale: only items.update and items.publish can',
        },
      ])
      const managing: PermissionKey[] = ['security.roles.update', 'security.roles.view']
      const managerOf = (end: string) =>
        as({ permissions: { global: managing, repos: { [`${repositoryId}${end}`]: ['items.update'] } } })
      const grants = async (manager: Api, end: string) => {
        const granted = role({ [`${repositoryId}${end}`]: ['items.update'] })
        try {
          const { id } = await manager.roles.create({ ...granted, name: `Of ${crypto.randomUUID()}` })
          await system.roles.delete({ id })
          return true
        } catch {
          return false
        }
      }
      const ends = ['', ':story', '@de', '@DE', ':story@de', '@fr', ':note@de']
      const held: Record<string, readonly string[]> = {
        '': ends,
        ':story': [':story', ':story@de'],
        '@de': ['@de', '@DE', ':story@de', ':note@de'],
        ':story@de': [':story@de'],
      }
      for (const [end, expected] of Object.entries(held)) {
        const manager = await managerOf(end)
        const granted: string[] = []
        for (const other of ends) if (await grants(manager, other)) granted.push(other)
        expect(granted, end).toEqual(expected)
      }
    })
  })
}
