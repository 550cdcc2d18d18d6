import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Api, Repository } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDryRun } from './dry-run.ts'
import { importFolder, type ImportRequest, type Outcome } from './import-folder.ts'

let folder: string
let api: Api
let repository: Repository
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-markdown-'))
  api = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
  const list = [
    { code: 'de', name: 'Deutsch', fallback: 'en' },
    { code: 'en', name: 'English' },
    { code: 'pt-BR', name: 'Português' },
  ]
  repository = await api.repositories.create({
    name: 'notes',
    settings: { locales: { default: 'en', list } },
  })
  const text = { name: 'text', kind: 'text', localized: true } as const
  await api.types.create({
    name: 'note',
    fields: [
      { name: 'title', kind: 'text', localized: true },
      { name: 'pages', kind: 'integer' },
      { name: 'next', kind: 'reference', localized: true },
      { name: 'body', kind: 'richText', settings: { format: 'markdown' }, localized: true },
      { name: 'seo', kind: 'group', settings: { fields: [text, { name: 'index', kind: 'boolean' }] } },
      {
        name: 'blocks',
        kind: 'union',
        list: true,
        settings: { variants: [{ name: 'quote', fields: [text, { name: 'year', kind: 'integer' }] }] },
      },
    ],
  })
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Files by path: the front matter, and the text as `text`. */
function write(files: Readonly<Record<string, Readonly<Record<string, unknown>>>>): void {
  for (const [path, { text = '', ...values }] of Object.entries(files)) {
    const entries = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `---\n${entries.join('')}---\n${String(text)}`)
  }
}

/** Imports the folder. Answers what was printed of each document. */
async function run(mode: ImportRequest['mode'] = 'write'): Promise<string[]> {
  const type = await api.types.get({ id: 'note' })
  const { locales } = repository.settings
  const target = {
    api,
    repository: repository.id,
    type,
    locales,
    conversion: await createDryRun(type, locales),
  }
  const outcomes: Outcome[] = []
  const listener = { found: () => undefined, done: (outcome: Outcome) => void outcomes.push(outcome) }
  await importFolder(target, { folder, mode, listener })
  return outcomes.map(({ path, ...outcome }) =>
    outcome.change === 'failed' ? `${path}:${outcome.line}: ${outcome.message}` : `${outcome.change} ${path}`,
  )
}

const note = (slug: string) => api.items.getBySlug({ configId: 'notes', slug, locale: '*' })

describe('an import into a repository with locales', () => {
  it.each([
    ['folders', 'blog/en/hello.md', 'blog/de/hello.md', 'blog-hello'],
    ['outer folders', 'en/blog/hello.md', 'de/blog/hello.md', 'blog-hello'],
    ['suffixes', 'hello.en.md', 'hello.de.md', 'hello'],
    ['a suffix for all but the default locale', 'hello/index.md', 'hello/index.de.markdown', 'hello-index'],
    ['a folder for all but the default locale', 'hello.md', 'de/hello.md', 'hello'],
  ])('makes one item of files in %s', async (_, ...[english, german, slug]) => {
    write({ [english]: { title: 'Hello', pages: 3, text: 'Text' }, [german]: { title: 'Hallo' } })
    const both = `${english}, ${german}`
    expect(await run('dryRun')).toEqual([`created ${both}`])
    expect((await api.items.list({ configId: 'notes' })).count).toBe(0)
    expect(await run()).toEqual([`created ${both}`])
    expect(await note(slug)).toMatchObject({
      name: 'Hello',
      fields: { title: { en: 'Hello', de: 'Hallo' }, pages: 3, body: { en: 'Text' } },
    })
    const { currentVersion } = await note(slug)
    expect(await run()).toEqual([`unchanged ${both}`])
    expect((await note(slug)).currentVersion).toBe(currentVersion)
  })

  it('takes the locale, and what is the same document, from the front matter first', async () => {
    write({
      'a.md': { translationKey: 'a', title: 'A' },
      'ein-a.md': { translationKey: 'a', locale: 'de', title: 'Ein A' },
      'pt-BR/um-a.md': { translationKey: 'a', title: 'Um A' },
      'b.md': { slug: 'the-b', title: 'B' },
      'ein-b.md': { slug: 'the-b', lang: 'de', title: 'Ein B' },
    })
    expect(await run()).toEqual(['created a.md, ein-a.md, pt-BR/um-a.md', 'created b.md, ein-b.md'])
    expect((await note('a')).fields?.['title']).toEqual({ en: 'A', de: 'Ein A', 'pt-BR': 'Um A' })
    expect((await note('the-b')).fields?.['title']).toEqual({ en: 'B', de: 'Ein B' })
    expect((await run()).map((text) => text.split(' ')[0])).toEqual(['unchanged', 'unchanged'])
  })

  it('takes other folders and suffixes as parts of the path', async () => {
    write({ 'fr/hello.md': { title: 'A' }, 'hello.pt.md': { title: 'B' }, 'en.md': { title: 'C' } })
    await run()
    for (const [slug, title] of [
      ['fr-hello', 'A'],
      ['hello-pt', 'B'],
      ['en', 'C'],
    ])
      expect((await note(slug ?? '')).fields?.['title']).toEqual({ en: title })
  })

  it('changes a translation alone, and retains what others translated', async () => {
    write({ 'a.md': { title: 'A' }, 'a.de.md': { title: 'Ein A' } })
    await run()
    const { id } = await note('a')
    await api.items.update({ configId: 'notes', id, locale: 'pt-BR', fields: { title: 'Um A' } })
    write({ 'a.de.md': { title: 'Das A' } })
    expect(await run()).toEqual(['updated a.md, a.de.md'])
    expect((await note('a')).fields).toEqual({ title: { en: 'A', de: 'Das A', 'pt-BR': 'Um A' } })
  })

  it('imports translations in groups and blocks', async () => {
    const values = (text: string) => ({
      seo: { text, index: true },
      blocks: [
        { type: 'quote', text: `${text} quote`, year: 1900 },
        { type: 'quote', text },
      ],
    })
    write({ 'a.md': values('Ink'), 'a.de.md': values('Tinte') })
    expect(await run()).toEqual(['created a.md, a.de.md'])
    expect((await note('a')).fields).toMatchObject({
      seo: { text: { en: 'Ink', de: 'Tinte' }, index: true },
      blocks: [
        { text: { en: 'Ink quote', de: 'Tinte quote' }, year: 1900 },
        { text: { en: 'Ink', de: 'Tinte' } },
      ],
    })
    expect(await run()).toEqual(['unchanged a.md, a.de.md'])
  })

  it('publishes in the locales whose files say so', async () => {
    write({ 'a.md': { title: 'A', published: true }, 'a.de.md': { title: 'Ein A' } })
    await run()
    expect(Object.keys((await note('a')).publications ?? {})).toEqual(['en'])
    expect(await run()).toEqual(['unchanged a.md, a.de.md'])
    write({ 'a.de.md': { title: 'Ein A', published: true } })
    expect(await run('dryRun')).toEqual(['updated a.md, a.de.md'])
    expect(await run()).toEqual(['updated a.md, a.de.md'])
    expect(await note('a')).toMatchObject({ status: 'published', publications: { en: {}, de: {} } })
    expect(await run()).toEqual(['unchanged a.md, a.de.md'])
  })

  it('refers to the one item from every locale, also to one of a later file', async () => {
    write({
      'en/a.md': { title: 'A', next: 'b' },
      'de/a.md': { title: 'Ein A', next: 'b', text: '[B](../de/b.md) ![x](x.png)' },
      'de/b.md': { title: 'Ein B' },
      'en/b.md': { title: 'B', next: 'a' },
    })
    write({ 'en/b.md': { title: 'B' } })
    expect(await run()).toEqual(['created en/b.md, de/b.md', 'created en/a.md, de/a.md'])
    const { id } = await note('b')
    expect((await note('a')).fields).toMatchObject({
      next: { en: id, de: id },
      body: { de: '[B](../de/b.md) ![x](x.png)' },
    })
  })

  it('takes shared values from the first file where the default locale has none', async () => {
    write({ 'pt-BR/a.md': { title: 'Um A' }, 'de/a.md': { title: 'Ein A', pages: 3 } })
    expect(await run()).toEqual(['created de/a.md, pt-BR/a.md'])
    expect(await note('a')).toMatchObject({
      name: 'Ein A',
      fields: { title: { de: 'Ein A', 'pt-BR': 'Um A' }, pages: 3 },
    })
  })

  it.each([
    [{ pages: 3 }, { pages: 4 }, 'a.de.md:2: fields.pages differs from a.md, and is not localized'],
    [{}, { pages: 4 }, 'a.de.md:2: fields.pages differs from a.md, and is not localized'],
    [
      { seo: { index: true } },
      { seo: { index: false } },
      'a.de.md:2: fields.seo differs from a.md, and is not localized',
    ],
    [
      { summary: 'On A' },
      { summary: 'Über A' },
      'a.de.md:2: the description differs from a.md, and all locales have the same one',
    ],
    [{}, { slug: 'ein-a' }, 'a.de.md:2: the slug differs from a.md, and all locales have the same one'],
    [{}, { locale: 'fr' }, 'a.de.md:2: "fr" is not a locale of the repository, which has de, en, pt-BR'],
    [{}, { lang: 'en' }, 'a.md:1: a.de.md is the same document in the locale "en", too'],
    [{}, { pages: 0.5 }, 'a.de.md:2: fields.pages must be an integer'],
    [{}, { next: 'nothing' }, 'a.de.md:2: there is no item with the slug "nothing" to refer to'],
  ])('with %j and %j in German reports what is wrong', async (english, german, message) => {
    write({ 'a.md': english, 'a.de.md': german, 'b.md': {} })
    for (const mode of ['dryRun', 'write'] as const)
      expect((await run(mode)).toSorted()).toEqual([message, 'created b.md'])
    expect((await api.items.list({ configId: 'notes' })).count).toBe(1)
  })

  it('takes keys that are fields as fields', async () => {
    const { fields } = await api.types.get({ id: 'note' })
    await api.types.update({ id: 'note', fields: [...fields, { name: 'lang', kind: 'text' }] })
    write({ 'a.md': { lang: 'de' } })
    await run()
    expect((await note('a')).fields).toMatchObject({ lang: 'de', title: { en: 'a.md' } })
  })

  it('without locales takes nothing as a locale', async () => {
    repository = await api.repositories.create({ name: 'plain' })
    write({ 'en/a.md': { title: 'A' }, 'de/a.md': { title: 'Ein A' }, 'a.de.md': { lang: 'de' } })
    expect(await run()).toEqual([
      expect.stringMatching(/^a\.de\.md:2: "lang" is not a field/),
      'created de/a.md',
      'created en/a.md',
    ])
    const { items } = await api.items.list({ configId: 'plain', sort: 'slug' })
    expect(items.map(({ slug, fields }) => [slug, fields])).toEqual([
      ['de-a', { title: 'Ein A' }],
      ['en-a', { title: 'A' }],
    ])
  })
})
