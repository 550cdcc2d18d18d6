import { describe, expect, it } from 'vitest'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

/** Merges of translations. Runs after `localeTests`, which makes the type. */
export function localeMergeTests(bench: () => Bench): void {
  describe('merges of translations', () => {
    const configId = 'merged-many'
    const title = { en: 'Ink', de: 'Tinte', ar: 'حبر' }
    const block = (text: object) => ({ type: 'prose', text, align: 'left' })

    /** Changes an item in a package and on main, and merges. */
    async function merged(name: string, ours: object, theirs: object) {
      const { api } = bench()
      const fields = { title, blocks: [block({ en: 'One', de: 'Eins' }), block({ en: 'Two' })] }
      const { id } = await api.items.create({
        repositoryId: configId,
        type: 'story',
        name,
        locale: '*',
        fields: fields as never,
      })
      await api.packages.create({ repo: configId, name })
      await api.items.update({ configId, id, packageName: name, ...ours })
      await api.items.update({ configId, id, ...theirs })
      const { items: conflicts } = await api.packages.conflicts({ repo: configId, packageName: name })
      if (conflicts.length > 0) return { conflicts: conflicts.map(({ path }) => path) }
      await api.packages.merge({ repo: configId, packageName: name })
      const item = await api.items.get({ configId, id, locale: '*' })
      return { fields: item.fields }
    }

    const inBlocks = (locale: string, texts: readonly string[]) => ({
      locale,
      fields: { blocks: texts.map((text) => ({ type: 'prose', text, align: 'left' })) },
    })

    it('never conflict in different locales, in blocks too', async () => {
      await bench().api.repositories.create({ name: configId, settings: { locales } })
      expect(
        await merged(
          'titles',
          { locale: 'de', fields: { title: 'Tusche' } },
          { locale: 'ar', fields: { title: 'مداد' } },
        ),
      ).toMatchObject({ fields: { title: { en: 'Ink', de: 'Tusche', ar: 'مداد' } } })
      expect(
        await merged('blocks', inBlocks('de', ['Eins', 'Zwei']), inBlocks('ar', ['واحد', 'اثنان'])),
      ).toMatchObject({
        fields: {
          blocks: [
            block({ en: 'One', de: 'Eins', ar: 'واحد' }),
            block({ en: 'Two', de: 'Zwei', ar: 'اثنان' }),
          ],
        },
      })
    })

    it('conflict in the same locale as a field does', async () => {
      const change = (text: string) => ({ locale: 'de', fields: { title: text } })
      expect(await merged('same', change('Tusche'), change('Farbe'))).toEqual({
        conflicts: ['fields.title.de'],
      })
      expect(
        await merged('same-block', inBlocks('de', ['Eins', 'Zwei']), inBlocks('de', ['Eins', 'Zwo'])),
      ).toEqual({ conflicts: ['fields.blocks'] })
    })

    it('publish in the locales that are public, and an import in those of the file', async () => {
      const { api } = bench()
      const { id } = await api.items.create({
        repositoryId: configId,
        type: 'story',
        name: 'Public',
        fields: { title: 'Public' },
      })
      await api.items.publish({ configId, id, locales: ['en'] })
      await api.packages.create({ repo: configId, name: 'publishing' })
      await api.items.update({ configId, id, packageName: 'publishing', fields: { title: 'Published' } })
      await api.packages.merge({ repo: configId, packageName: 'publishing', publish: true })
      const isPublic = async (repository: string, locale: string) =>
        api.published.item({ configId: repository, id, locale }).then(
          ({ fields }) => fields?.['title'],
          () => null,
        )
      expect(await isPublic(configId, 'en')).toBe('Published')
      expect(await isPublic(configId, 'de')).toBe(null)
      const file = await api.repositories.export({ id: configId, query: { filter: { id } } })
      const archive = new Blob([await file.bytes()])
      await api.repositories.create({ name: 'imported-many', settings: { locales } })
      await api.repositories.import({ id: 'imported-many', file: archive })
      expect(await isPublic('imported-many', 'en')).toBe('Published')
      expect(await isPublic('imported-many', 'de')).toBe(null)
    })
  })
}
