import { beforeAll, describe, expect, it } from 'vitest'
import { aModel } from './ai.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { picturesIn, prepareFiles, textFile } from '../files/files.ts'
import { anArticle } from '../delivery/magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import { locales } from '../content/locales.ts'
import type { Bench } from '../host.ts'

const repositoryId = 'magazine'
const fields = {
  title: 'Oak <galls>',
  body: '<p>They make ink.</p>',
  notes: '',
  tags: ['hidden-tag'],
  price: 5,
}

/** Language models' proposals for items. */
export function aiTaskTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const picture = picturesIn(bench)
  let count = 0
  const article = (more: object = {}) =>
    bench().api.items.create(
      anArticle({ name: `Galls ${(count += 1)}`, description: 'On ink', fields, ...more }),
    )
  const reply = (value: unknown) => `says ${typeof value === 'string' ? value : JSON.stringify(value)}`
  /** The prompt of the last request to the model. */
  const visible = (): { system: string; user: unknown } => {
    const { messages } = JSON.parse(String(bench().scope.outbound.sent.at(-1)?.body))
    return { system: messages[0].content, user: messages[1].content }
  }
  const aTaxonomy = async () => {
    const { api } = bench()
    const taxonomy = await api.taxonomies.create({ configId: repositoryId, name: `Subjects ${(count += 1)}` })
    const inside = { configId: repositoryId, taxonomyId: taxonomy.id }
    const craft = await api.categories.create({ ...inside, name: 'Craft' })
    const ink = await api.categories.create({ ...inside, name: 'Ink', parentId: craft.id })
    return { taxonomyId: taxonomy.id, craft, ink }
  }

  describe('a proposal', () => {
    it('for a summary is made from the item’s texts, and nothing is saved', async () => {
      const { api } = bench()
      const accessId = await aModel(api)
      const item = await article()
      const input = { accessId, repositoryId, itemId: item.id, task: 'summarize' as const }
      const model = reply({ summary: ' Short. ' })
      expect(await api.ai.task({ ...input, model })).toEqual({
        task: 'summarize',
        itemId: item.id,
        version: 1,
        model,
        summary: 'Short.',
      })
      const { system, user } = visible()
      expect(system).toMatch(/never instructions/)
      expect(user).toBe(`${item.name}\n\nOn ink\n\nOak <galls>\n\n<p>They make ink.</p>`)
      expect(await api.items.get({ configId: repositoryId, id: item.id })).toEqual(item)
      await api.ai.task({ ...input, model, language: 'de' })
      expect(visible().system).toContain('the tag de')
    })

    it('for a summary is made from the text of the item’s file, too', async () => {
      const { api } = bench()
      const accessId = await aModel(api)
      const file = textFile('What the file says.', 'said.txt')
      const { id, name } = await api.assets.create({ configId: repositoryId, type: 'document', file })
      const input = { accessId, repositoryId, itemId: id, task: 'summarize' as const }
      await api.ai.task({ ...input, model: reply({ summary: 'Short.' }) })
      expect(visible().user).toBe(`${name}\n\nWhat the file says.`)
    })

    it('uses the model of the access configuration by default', async () => {
      const { api } = bench()
      const model = reply({ summary: 'By default' })
      const input = { repositoryId, itemId: (await article()).id, task: 'summarize' as const }
      expect(await api.ai.task({ ...input, accessId: await aModel(api, { model }) })).toMatchObject({
        model,
        summary: 'By default',
      })
      expect(await invalidAt(api.ai.task({ ...input, accessId: await aModel(api) }))).toEqual(['model'])
    })

    it('for a translation has each text, under its own name', async () => {
      const { api } = bench()
      const accessId = await aModel(api)
      const item = await article()
      const input = { accessId, repositoryId, itemId: item.id, task: 'translate' as const, language: 'de' }
      const translation = {
        name: 'Gallen',
        description: 'Tinte',
        'fields.title': 'Eiche',
        'fields.body': '<p>Gut</p>',
      }
      expect(await api.ai.task({ ...input, model: reply({ ...translation, more: 'x' }) })).toMatchObject({
        name: 'Gallen',
        description: 'Tinte',
        fields: { title: 'Eiche', body: '<p>Gut</p>' },
      })
      expect(JSON.parse(String(visible().user))).toEqual({
        name: item.name,
        description: 'On ink',
        'fields.title': fields.title,
        'fields.body': fields.body,
      })
      const { 'fields.body': _, ...short } = translation
      await failing(api.ai.task({ ...input, model: reply(short) }), 'upstream_failed')
      const { language: __, ...unsaid } = input
      expect(await invalidAt(api.ai.task({ ...unsaid, model: 'small' }))).toEqual(['language'])
      const long = await article({ fields: { body: `<p>${'x'.repeat(40_000)}</p>`, title: 'Long' } })
      await failing(api.ai.task({ ...input, itemId: long.id, model: 'small' }), 'too_large')
    })

    it('for a translation into a locale is saved in a package, without what is current', async () => {
      const { api, as } = bench()
      const accessId = await aModel(api)
      const localized = { kind: 'text' as const, localized: true }
      const variants = [{ name: 'prose', fields: [{ name: 'text', ...localized }] }]
      await api.types.create({
        name: 'leaflet',
        fields: [
          ...['title', 'teaser', 'note'].map((name) => ({ name, ...localized })),
          { name: 'body', kind: 'union', list: true, settings: { variants } },
        ],
      })
      const { id: repositoryId } = await api.repositories.create({ name: 'leaflets', settings: { locales } })
      const text = { title: { en: 'Ink', de: 'Tinte' }, teaser: { en: 'Old' }, note: { de: 'Nur hier' } }
      const body = [
        { type: 'prose', text: { en: 'One', de: 'Eins' } },
        { type: 'prose', text: { en: 'Two' } },
      ]
      const { id } = await api.items.create({
        repositoryId: 'leaflets',
        type: 'leaflet',
        name: 'Ink',
        locale: '*',
        fields: { ...text, body },
      })
      await api.packages.create({ repo: 'leaflets', name: 'proposed' })
      const input = {
        accessId,
        repositoryId: 'leaflets',
        itemId: id,
        task: 'translate' as const,
        language: 'de',
      }
      const model = reply({ 'fields.teaser': 'Alt', 'fields.body.1.text': 'Zwei' })
      const proposal = { fields: { teaser: 'Alt', 'body.1.text': 'Zwei' }, version: 1 }
      expect(await api.ai.task({ ...input, model })).toMatchObject(proposal)
      expect(JSON.parse(String(visible().user))).toEqual({
        'fields.teaser': 'Old',
        'fields.body.1.text': 'Two',
      })
      const reader = await as({ bundles: ['bundle.viewer'], permissions: { global: ['ai.use'] } })
      const inPackage = { ...input, packageName: 'proposed', model }
      const asked = bench().scope.outbound.sent.length
      await failing(reader.ai.task(inPackage), 'forbidden')
      const writerOf = (locale: string) => {
        const repos = { [`${repositoryId}@${locale}`]: ['items.update' as const] }
        return as({ bundles: ['bundle.viewer'], permissions: { global: ['ai.use'], repos } })
      }
      await failing((await writerOf('ar')).ai.task(inPackage), 'forbidden')
      expect(await invalidAt(api.ai.task({ ...inPackage, language: 'fr' }))).toEqual(['language'])
      expect(bench().scope.outbound.sent).toHaveLength(asked)
      expect(await (await writerOf('de')).ai.task(inPackage)).toMatchObject({ ...proposal, savedVersion: 2 })
      const german = { configId: 'leaflets', id, locale: 'de', fallback: false }
      expect((await api.items.get({ ...german, packageName: 'proposed' })).fields).toEqual({
        title: 'Tinte',
        teaser: 'Alt',
        note: 'Nur hier',
        body: [
          { type: 'prose', text: 'Eins' },
          { type: 'prose', text: 'Zwei' },
        ],
      })
      expect((await api.items.get(german)).fields).not.toHaveProperty('teaser')
      await failing(api.ai.task(inPackage), 'invalid_state')
    })

    it('for categories names existing ones, best first', async () => {
      const { api } = bench()
      const accessId = await aModel(api)
      const { taxonomyId, craft, ink } = await aTaxonomy()
      const itemId = (await article()).id
      const input = { accessId, repositoryId, itemId, taxonomyId, task: 'suggest-categories' as const }
      const model = reply({ categories: [ink.id, 'CATG_NONE', craft.id, ink.id] })
      expect((await api.ai.task({ ...input, model })).categories).toEqual([
        { id: ink.id, name: 'Ink' },
        { id: craft.id, name: 'Craft' },
      ])
      expect(visible().system).toContain(JSON.stringify([ink.id, 'Ink']))
      expect((await api.ai.task({ ...input, model: reply({ categories: [] }) })).categories).toEqual([])
      await failing(api.ai.task({ ...input, model: reply({ categories: ['CATG_NONE'] }) }), 'upstream_failed')
      await failing(api.ai.task({ ...input, taxonomyId: 'TAXO_NONE', model }), 'not_found')
      const { taxonomyId: _, ...unsaid } = input
      expect(await invalidAt(api.ai.task({ ...unsaid, model }))).toEqual(['taxonomyId'])
    })

    it('for an alternative text is made from the picture', async () => {
      const { api } = bench()
      const accessId = await aModel(api)
      const itemId = (await picture('Quarters')).id
      const input = { accessId, repositoryId, itemId, task: 'alt-text' as const }
      const model = reply({ altText: 'Four quarters' })
      expect(await api.ai.task({ ...input, model })).toMatchObject({ altText: 'Four quarters', itemId })
      expect(visible().user).toMatchObject([
        { type: 'text', text: expect.stringContaining('Quarters') },
        { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//) } },
      ])
      await failing(api.ai.task({ ...input, itemId: (await article()).id, model }), 'invalid_state')
    })

    it('is based on the content of the named package', async () => {
      const { api } = bench()
      const accessId = await aModel(api)
      const item = await article()
      const { packageName } = await newPackage(api)
      const scope = { configId: repositoryId, id: item.id, packageName }
      await api.items.update({ ...scope, description: 'In the package' })
      const input = { accessId, repositoryId, itemId: item.id, task: 'summarize' as const }
      await api.ai.task({ ...input, packageName, model: reply({ summary: 'x' }) })
      expect(visible().user).toContain('In the package')
      await api.ai.task({ ...input, model: reply({ summary: 'x' }) })
      expect(visible().user).not.toContain('In the package')
    })

    it.each([
      ['something else than JSON', reply('Of course! Here it is.')],
      ['a list', reply([1])],
      ['a text that is empty', reply({ summary: '  ' })],
      ['a text that breaks off', reply('{"summary":"x')],
      ['an error', 'status 500'],
      ['that its key is wrong', 'status 401'],
    ])('is none where the model says %s', async (_, model) => {
      const { api } = bench()
      const input = { repositoryId, itemId: (await article()).id, task: 'summarize' as const, model }
      await failing(api.ai.task({ ...input, accessId: await aModel(api) }), 'upstream_failed')
    })

    it('may be fenced as a code block', async () => {
      const { api } = bench()
      const input = { repositoryId, itemId: (await article()).id, task: 'summarize' as const }
      const model = reply('```json\n{"summary":"Fenced"}\n```')
      expect(await api.ai.task({ ...input, accessId: await aModel(api), model })).toMatchObject({
        summary: 'Fenced',
      })
    })

    it('fails when the model is too slow, and is still charged to its caller', async () => {
      const { api } = bench()
      const input = { repositoryId, itemId: (await article()).id, task: 'summarize' as const }
      const accessId = await aModel(api, { budget: { tokens: 5, per: 'month' } })
      await failing(api.ai.task({ ...input, accessId, model: 'late' }), 'upstream_timeout')
      await api.ai.task({ ...input, accessId, model: reply({ summary: 'x' }) })
      await failing(api.ai.task({ ...input, accessId, model: reply({ summary: 'x' }) }), 'too_many_requests')
    })
  })

  describe('content that a caller may not read', () => {
    it('is not sent to a model', async () => {
      const { api, as, system, scope, anonymous } = bench()
      const accessId = await aModel(api)
      const { id } = await system.repositories.get({ id: repositoryId })
      const role = await system.roles.create({ name: `Readers ${(count += 1)}` })
      const open = await article()
      const closed = await article({ readPerm: [role.id] })
      const input = { accessId, repositoryId, task: 'summarize' as const, model: reply({ summary: 'x' }) }
      const keys = (...own: string[]) => as({ permissions: { repos: { [id]: own } } })
      const user = await keys('items.read', 'ai.use')
      expect(await user.ai.task({ ...input, itemId: open.id })).toMatchObject({ summary: 'x' })
      const before = scope.outbound.sent.length
      const blind = await keys('taxonomies.read', 'ai.use')
      await allFailing(
        [
          user.ai.task({ ...input, itemId: closed.id }),
          user.ai.task({ ...input, itemId: 'CONT_NONE' }),
          user.ai.task({ ...input, itemId: open.id, repositoryId: 'elsewhere' }),
          user.ai.task({ ...input, itemId: open.id, accessId: 'ACCS_NONE' }),
          blind.ai.task({ ...input, itemId: open.id }),
        ],
        'not_found',
      )
      const mute = await keys('items.read')
      const { taxonomyId } = await aTaxonomy()
      const image = await picture(`Closed ${(count += 1)}`)
      await allFailing(
        [
          mute.ai.task({ ...input, itemId: open.id }),
          user.ai.task({ ...input, itemId: open.id, task: 'suggest-categories', taxonomyId }),
          user.ai.task({ ...input, itemId: image.id, task: 'alt-text' }),
        ],
        'forbidden',
      )
      await failing(anonymous.ai.task({ ...input, itemId: open.id }), 'unauthorized')
      expect(scope.outbound.sent.length).toBe(before)
    })
  })
}
