import { limits, type TranslationsReport } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

/** Translations in XLIFF. Runs after `localeTests`, which makes the type. */
export function xliffTests(bench: () => Bench): void {
  describe('translations in XLIFF', () => {
    const configId = 'xliff'
    const packageName = 'german'

    const exported = async (input: object = {}) => {
      const answer = await bench().api.translations.export({ configId, locale: 'de', ...input })
      return new TextDecoder().decode(await answer.bytes())
    }

    const imported = (text: string, input: object = {}): Promise<TranslationsReport> => {
      const file = new File([text], 'magazine-de.xlf', { type: 'application/xliff+xml' })
      return bench().api.translations.import({ configId, packageName, file, ...input })
    }

    /** As a translator's tool fills it in. */
    const translated = (text: string, targets: Readonly<Record<string, string>>) =>
      Object.entries(targets).reduce(
        (all, [source, target]) =>
          all.replace(
            new RegExp(`<segment [^>]*>(\\s*<source>${source}</source>)(\\s*<target>[^<]*</target>)?`),
            `<segment state="translated">$1<target>${target}</target>`,
          ),
        text,
      )

    const create = (name: string, fields: object) =>
      bench().api.items.create({
        repositoryId: configId,
        type: 'story',
        name,
        locale: '*',
        fields: { ...fields },
      })

    it('has what is missing or outdated, and goes into a package for review', async () => {
      const { api } = bench()
      await api.repositories.create({ name: configId, settings: { locales } })
      await api.packages.create({ repo: configId, name: packageName })
      const { id } = await create('Ink & paper', {
        title: { en: 'Ink <1> & "paper"', de: 'Tinte' },
        seo: { heading: { en: 'On\u0001ink\r\n' } },
        sku: { en: 'S1', de: 'S2' },
        blocks: [
          { type: 'prose', text: { en: 'One', de: 'Eins' } },
          { type: 'prose', text: { en: 'Two' } },
        ],
      })
      await api.items.update({ configId, id, fields: { title: 'Ink <2> & "paper"', sku: 'S3' } })
      const text = await exported()
      expect(text.split('\n').slice(1, 10)).toEqual([
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de">',
        `  <file id="${id}" original="Ink &amp; paper">`,
        '    <unit id="fields.title" xml:space="preserve">',
        expect.stringMatching(/^ {6}<segment state="initial" subState="quire:outdated-[0-9a-f]{14}">$/),
        '        <source>Ink &lt;2&gt; &amp; &quot;paper&quot;</source>',
        '        <target>Tinte</target>',
        '      </segment>',
        '    </unit>',
        '    <unit id="fields.sku" xml:space="preserve">',
      ])
      expect(text).toContain('<source>On<cp hex="0001"/>ink&#13;\n</source>')
      expect(text.match(/<unit /g)).toHaveLength(4)
      expect(await exported({ xliffVersion: '2.2', state: ['current'] })).toContain(
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.2" version="2.2"',
      )
      const untouched = { items: 0, translated: 0, confirmed: 0, unchanged: 4, refuse: 0, refused: [] }
      expect(await imported(text)).toEqual(untouched)
      const filled = translated(text, {
        'Ink &lt;2&gt; &amp; &quot;paper&quot;': 'Tinte',
        Two: 'Zwei &lt;b&gt;',
        S3: 'S2',
        'On<cp hex="0001"/>ink&#13;\n': 'Über<cp hex="0001"/>',
      })
      const report = { items: 1, translated: 2, confirmed: 2, unchanged: 0, refuse: 0, refused: [] }
      expect(await imported(filled, { dryRun: true })).toEqual(report)
      expect(await imported(filled)).toEqual(report)
      const german = { configId, id, locale: 'de', fallback: false }
      const there = { title: 'Tinte', seo: { heading: 'Über\u0001' }, sku: 'S2' }
      expect(await api.items.get({ ...german, packageName })).toMatchObject({
        currentVersion: 3,
        fields: { ...there, blocks: [{ text: 'Eins' }, { text: 'Zwei <b>' }] },
      })
      expect((await api.items.get(german)).currentVersion).toBe(2)
      expect((await api.translations.list({ configId, packageName, locale: 'de' })).counts).toEqual({
        de: { missing: 0, outdated: 0, current: 1 },
      })
      expect(await imported(filled)).toEqual(untouched)
      await api.packages.merge({ repo: configId, packageName })
      expect((await api.items.get(german)).fields).toMatchObject(there)
      await api.packages.create({ repo: configId, name: 'again' })
    })

    it('reports by unit what has changed since, and what is gone', async () => {
      const { api } = bench()
      const pen = await create('Pen', { title: { en: 'Pen' }, sku: { en: 'P1' }, blocks: [] })
      const nib = await create('Nib', { title: { en: 'Nib' } })
      const text = translated(await exported(), { Pen: 'Feder', P1: 'P2', Nib: 'Spitze' })
      await api.items.update({ configId, id: pen.id, fields: { title: 'Fountain pen' } })
      await api.items.delete({ configId, id: nib.id })
      const lineOf = (needle: string) => text.slice(0, text.indexOf(needle)).split('\n').length
      expect(await imported(text, { packageName: 'again' })).toMatchObject({
        items: 1,
        translated: 1,
        refuse: 2,
        refused: [
          {
            itemId: nib.id,
            path: 'fields.title',
            message: 'The item does not exist, or you may not read it.',
          },
          {
            itemId: pen.id,
            path: 'fields.title',
            line: lineOf('<source>Pen') - 2,
            message: 'the source has changed since the file was made',
          },
        ],
      })
      const other = text.replaceAll('fields.sku', 'fields.skew')
      expect((await imported(other, { packageName: 'again' })).refused).toContainEqual(
        expect.objectContaining({
          path: 'fields.skew',
          message: 'the item has no text to translate at this path',
        }),
      )
    })

    it('overwrites no translation that somebody has changed since', async () => {
      const { api } = bench()
      const { id } = await create('Rod', { title: { en: 'Rod', de: 'Stab' }, sku: { en: 'R1' } })
      const file = await exported({ state: ['current', 'missing'] })
      const german = { configId, packageName: 'again', id, locale: 'de' }
      await api.items.update({ ...german, fields: { title: 'Stange', sku: 'R2' } })
      const title = async () => (await api.items.get(german)).fields?.['title']
      const report = await imported(file, { packageName: 'again' })
      expect([report.translated, report.refuse, await title()]).toEqual([0, 0, 'Stange'])
      const edited = file
        .replace('<target>Stab<', '<target>Stock<')
        .replace(/(<source>R1<.source>)/, '$1<target>R3</target>')
      const refused = (await imported(edited, { packageName: 'again' })).refused.filter(
        (one) => one.itemId === id,
      )
      const message = 'the translation has changed since the file was made'
      expect(refused).toMatchObject([
        { path: 'fields.title', message },
        { path: 'fields.sku', message },
      ])
      expect(await title()).toBe('Stange')
      // A tool that replaces the sub-state has the last word.
      await imported(translated(edited, { Rod: 'Stock' }), { packageName: 'again' })
      expect(await title()).toBe('Stock')
    })

    it('is written without the texts that the item refuses', async () => {
      const { api } = bench()
      await create('Cap', { title: { en: 'Cap', de: 'Kappe' }, sku: { en: 'C1', de: 'C2' } })
      const { id } = await create('Lid', {
        title: { en: 'Lid' },
        sku: { en: 'L1' },
        seo: { heading: { en: 'Lids' } },
        blocks: [
          { type: 'prose', text: { en: 'Round' } },
          { type: 'prose', text: { en: 'Square' } },
        ],
      })
      const text = translated(await exported(), {
        Lid: 'Deckel',
        L1: 'C2',
        Lids: '<cp hex="0000"/>',
        Round: 'r'.repeat(limits.text + 1),
        Square: 'Eckig',
      })
      const lineOf = (path: string) =>
        text.slice(0, text.indexOf(`"${path}"`, text.indexOf(id))).split('\n').length
      const refusal = (path: string, message: string) => ({ itemId: id, path, line: lineOf(path), message })
      const report = {
        items: 1,
        translated: 2,
        refuse: 3,
        refused: [
          refusal('fields.sku', 'fields.sku.de: another story has this value.'),
          refusal('fields.seo.heading', 'contains a NUL character'),
          refusal('fields.blocks.0.text', `must have at most ${limits.text} characters`),
        ],
      }
      expect(await imported(text, { packageName: 'again', dryRun: true })).toMatchObject(report)
      expect(await imported(text, { packageName: 'again' })).toMatchObject(report)
      const item = await api.items.get({
        configId,
        packageName: 'again',
        id,
        locale: 'de',
        fallback: false,
      })
      expect(item).toMatchObject({ currentVersion: 2 })
      expect(item.fields).toEqual({
        title: 'Deckel',
        seo: {},
        blocks: [{ type: 'prose' }, { type: 'prose', text: 'Eckig' }],
      })
    })

    it('is read with the first of two units for a text', async () => {
      const { id } = await create('Twice', { title: { en: 'Twice' } })
      const unit = (path: string, target: string) =>
        `<unit id="${path}"><segment><source>Twice</source><target>${target}</target></segment></unit>`
      const file = `<file id="${id}">${unit('fields.title', 'Zweimal')}</file>`
      const other = `<file id="${id}">\n${unit('fields.title', 'Doppelt')}${unit('x'.repeat(5000), '')}</file>`
      const report = await imported(
        `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de">${file}${other}</xliff>`,
        { packageName: 'again' },
      )
      expect(report).toMatchObject({ translated: 1, refuse: 2 })
      const at = { itemId: id, line: 2 }
      expect(report.refused).toEqual([
        { ...at, path: 'fields.title', message: 'the file has another unit for this text in line 1' },
        { ...at, path: `${'x'.repeat(200)}…`, message: 'the item has no text to translate at this path' },
      ])
    })

    it('is read with several segments, elements within texts and modules', async () => {
      const { api } = bench()
      const { id } = await create('Split', { title: { en: 'One. Two.' }, sku: { en: 'Q1' } })
      const text = `<?xml version="1.0"?>
        <x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.2" xmlns:m="urn:oasis:names:tc:xliff:matches:2.0"
          version="2.2" srcLang="en" trgLang="de"><x:file id="${id}"><x:unit id="fields.title">
          <m:matches><m:match ref="#1"><x:source>No</x:source><x:target>Nein</x:target></m:match></m:matches>
          <x:segment><x:source>One.</x:source><x:target><x:mrk id="m1">Eins</x:mrk><![CDATA[.]]></x:target></x:segment>
          <x:ignorable><x:source> </x:source></x:ignorable>
          <x:segment><x:source>Two.</x:source><x:target>Zwei.</x:target></x:segment></x:unit>
          <x:unit id="fields.sku"><x:segment><x:source>Q1</x:source></x:segment></x:unit></x:file></x:xliff>`
      expect(await imported(text, { packageName: 'again' })).toMatchObject({
        translated: 1,
        unchanged: 1,
        refuse: 0,
      })
      const item = await api.items.get({ configId, packageName: 'again', id, locale: 'de' })
      expect(item.fields).toMatchObject({ title: 'Eins. Zwei.' })
    })

    it('names what is wrong, and changes nothing', async () => {
      const { api } = bench()
      const text = await exported()
      const problem = async (given: string) => {
        const { issues } = await failing(imported(given, { packageName: 'again' }), 'invalid')
        return issues?.[0]
      }
      expect(await problem('')).toMatchObject({ path: 'file' })
      expect(await problem('<xliff')).toMatchObject({ path: 'file' })
      expect(await problem('<html/>')).toEqual({ path: 'file', message: 'line 1: is not XLIFF, but <html>' })
      expect(await problem(text.replace('version="2.1"', 'version="1.2"'))).toEqual({
        path: 'file',
        message: 'line 2: has the version "1.2" of XLIFF: 2.1 and 2.2 can be read',
      })
      expect(await problem(text.replace('version="2.1"', 'version="2.2"'))).toMatchObject({ path: 'file' })
      expect(
        await problem(`<!DOCTYPE xliff [<!ENTITY a "b">]>${text.slice(text.indexOf('<xliff'))}`),
      ).toMatchObject({
        message: 'line 1: has a document type, which XLIFF does not need',
      })
      expect(await problem(text.replace('srcLang="en"', 'srcLang="de"'))).toMatchObject({ path: 'file' })
      expect(await problem(text.replace('trgLang="de"', 'trgLang="fr"'))).toMatchObject({ path: 'file' })
      expect(await problem(text.replace('</xliff>', ''))).toMatchObject({ path: 'file' })
      expect(await problem(text.replace('</source>', '</source><target order="2">x</target>'))).toMatchObject(
        {
          path: 'file',
        },
      )
      const deep = text.replace('</xliff>', '<a>'.repeat(50_000))
      expect((await problem(deep))?.message).toMatch(/more than 100 elements within each other/)
      await failing(imported(text, { packageName: 'nowhere' }), 'not_found')
      await failing(api.translations.export({ configId: 'nowhere', locale: 'de' }), 'not_found')
      expect(await invalidAt(api.translations.export({ configId, locale: 'fr' }))).toEqual(['locale'])
      const long = new File(['x'.repeat(64 * 1024 ** 2 + 1)], 'long.xlf')
      await failing(api.translations.import({ configId, packageName: 'again', file: long }), 'too_large')
    })
  })
}
