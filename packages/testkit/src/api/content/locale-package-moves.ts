import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'
import { localePackageSteps } from './locale-package-steps.ts'
import { membersOf, replacing } from '../branches/transfer-steps.ts'
import { locales } from './locales.ts'

/** Reverts and files of packages that publish in some locales. Runs after `localePackageTests`. */
export function localePackageMoveTests(bench: () => Bench): void {
  const { configId, create, shown, open, merge, versionsOf } = localePackageSteps(bench)

  describe('a package that publishes in locales', () => {
    it('is reverted where the version before was public, and refused where another was', async () => {
      const { api } = bench()
      const { id } = await create('Undo', { en: 'One', de: 'Eins' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('undo')
      await api.items.update({ ...ref, packageName: 'undo', fields: { title: 'Two' } })
      await api.items.publish({ ...ref, packageName: 'undo', locales: ['en', 'de'] })
      await merge('undo')
      expect(await shown(id)).toEqual({ en: 'Two', de: 'Eins' })
      const revert = () => api.packages.revert({ repo: configId, packageName: 'undo' })
      expect((await failing(revert(), 'invalid_state')).message).toContain('"de"')
      await api.items.unpublish({ ...ref, locales: ['de'] })
      await merge((await revert()).name)
      expect(await shown(id)).toEqual({ en: 'One' })
      expect(versionsOf(await api.items.get(ref))).toEqual({ en: 3 })
    })

    it('moves to another package by a file', async () => {
      const { api } = bench()
      const { id } = await create('Moved', { en: 'One', de: 'Eins' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('from')
      const title = { en: 'Two', de: 'Zwei' }
      await api.items.update({ ...ref, packageName: 'from', locale: '*', fields: { title } })
      await api.items.publish({ ...ref, packageName: 'from', locales: ['de'] })
      const exported = await api.repositories.export({ id: configId, packageName: 'from' })
      const file = new File([await exported.bytes()], 'from.zip')
      await api.packages.delete({ repo: configId, packageName: 'from' })
      const plan = await api.repositories.import({ id: configId, file, package: 'to' })
      expect(plan).toMatchObject({ applied: true, refuse: [], conflicts: [] })
      expect(versionsOf(await api.items.get({ ...ref, packageName: 'to' }))).toEqual({ en: 1, de: 2 })
      await merge('to')
      expect(await shown(id)).toEqual({ en: 'One', de: 'Zwei' })
    })

    it('that only edits an item leaves what is public, also when it is moved by a file', async () => {
      const { api } = bench()
      const { id } = await create('Edited', { en: 'One', de: 'Eins' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('edits')
      await api.items.update({ ...ref, packageName: 'edits', fields: { title: 'Two' } })
      const exported = await api.repositories.export({ id: configId, packageName: 'edits' })
      const file = new File([await exported.bytes()], 'edits.zip')
      await api.packages.delete({ repo: configId, packageName: 'edits' })
      await api.repositories.import({ id: configId, file, package: 'edits again' })
      await merge('edits again')
      expect(await shown(id)).toEqual({ en: 'One' })
      expect((await api.items.get(ref)).fields).toMatchObject({ title: 'Two' })
    })

    it('is taken back with others, the newest first', async () => {
      const { api } = bench()
      const { id } = await create('Chain', { en: 'One' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      for (const title of ['Two', 'Three']) {
        await open(title)
        await api.items.update({ ...ref, packageName: title, fields: { title } })
        await api.items.publish({ ...ref, packageName: title, locales: ['en'] })
        await merge(title)
      }
      expect(await shown(id)).toEqual({ en: 'Three' })
      for (const [title, before] of [
        ['Three', 'Two'],
        ['Two', 'One'],
      ] as const) {
        await merge((await api.packages.revert({ repo: configId, packageName: title })).name)
        expect(await shown(id)).toEqual({ en: before })
      }
    })

    it('that unpublishes is reverted only where its version was public', async () => {
      const { api } = bench()
      const { id } = await create('Hidden', { en: 'One', de: 'Eins' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('hides')
      await api.items.unpublish({ ...ref, packageName: 'hides' })
      await merge('hides')
      expect(await shown(id)).toEqual({})
      await merge((await api.packages.revert({ repo: configId, packageName: 'hides' })).name)
      expect(await shown(id)).toEqual({ en: 'One' })
    })

    it('is in a file only as the importer may publish it', async () => {
      const { api, as } = bench()
      const from = 'packaged-from'
      const to = 'packaged-to'
      for (const name of [from, to]) await api.repositories.create({ name, settings: { locales } })
      const { id } = await api.items.create({
        repositoryId: from,
        type: 'story',
        name: 'Filed',
        fields: { title: 'One', price: 1 },
      })
      await api.items.publish({ configId: from, id, locales: ['en'] })
      await api.items.update({ configId: from, id, locale: 'de', fields: { title: 'Zwei' } })
      await api.items.publish({ configId: from, id, locales: ['de'] })
      const bytes = await (await api.repositories.export({ id: from })).bytes()
      const content = 'content/item-0001.ndjson'
      const hidden = await replacing(bytes, content, (text) =>
        text.replace(
          /"published":("latest"|\{.*?\}\]\}),"publishedDate":\d+/,
          '"published":null,"publishedDate":null',
        ),
      )
      expect(membersOf(hidden).get(content)).toContain('"published":null')
      const writer = await as({
        permissions: {
          global: ['admin.repositories.import', 'items.read', 'items.create', 'items.update'],
        },
      })
      for (const file of [bytes, hidden]) {
        const input = { id: to, file: new File([Uint8Array.from(file)], 'from.zip') }
        const plan = await writer.repositories.import({ ...input, dryRun: true })
        expect(plan.refuse.map(({ message }) => message)).toEqual([expect.stringContaining('items.publish')])
        await failing(writer.repositories.import(input), 'import_refused')
      }
      const plan = await api.repositories.import({
        id: to,
        file: new File([Uint8Array.from(hidden)], 'from.zip'),
      })
      expect(plan.counts).toMatchObject({ create: 1, refuse: 0 })
      const { publications } = await api.items.get({ configId: to, id })
      expect(Object.keys(publications ?? {})).toEqual(['en'])
    })
  })
}
