import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { aFolder, inFolder, quire, serveFolder } from '../../test/cli.ts'
import { demoTypes } from '../demo/content-types.ts'
import { demoLocales } from '../demo/locales.ts'
import { packageFolder } from '../package-folder.ts'

const magazine = fileURLToPath(new URL('demo/magazine', packageFolder))

// Long enough for several processes of the command, next to other tests.
vi.setConfig({ testTimeout: 60_000 })

/** A data folder with the demo's content types and an empty repository in its locales. */
async function prepared(): Promise<string> {
  const data = aFolder()
  await inFolder(data, async (_, api) => {
    for (const type of demoTypes) await api.types.create(type)
    await api.repositories.create({ name: 'notes', settings: { locales: demoLocales } })
  })
  return data
}

const into = (data: string, type: string) => ['--repository', 'notes', '--type', type, '--data', data]

describe('quire import', () => {
  it('imports a folder, imports a changed file again and leaves the rest alone', async () => {
    const data = await prepared()
    const folder = join(aFolder(), 'authors')
    cpSync(join(magazine, 'authors'), folder, { recursive: true })
    const first = await quire(['import', folder, ...into(data, 'author')])
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringContaining('5 created, 0 updated, 0 unchanged, 0 failed.'),
    ])
    const again = await quire(['import', folder, ...into(data, 'author')])
    expect(again.stdout).toContain('0 created, 0 updated, 5 unchanged, 0 failed.')
    const file = join(folder, 'jonah-pell.md')
    writeFileSync(file, readFileSync(file, 'utf8').replace('six winters', 'seven winters'))
    const changed = await quire(['import', folder, ...into(data, 'author')])
    expect(changed.stdout).toContain('updated jonah-pell.md')
    expect(changed.stdout).toContain('0 created, 1 updated, 4 unchanged, 0 failed.')
    const articles = await quire(['import', join(magazine, 'articles'), ...into(data, 'article')])
    expect([articles.code, articles.stdout]).toEqual([0, expect.stringContaining('12 created')])
    const jonah = await inFolder(data, (_, api) =>
      api.items.getBySlug({ configId: 'notes', slug: 'jonah-pell' }),
    )
    expect(jonah).toMatchObject({
      // Three languages, and the change.
      currentVersion: 4,
      status: 'published',
      updatedByUser: { userName: 'system:importer' },
    })
  })

  it('reports a bad file with its line, imports the others and exits with 1', async () => {
    const data = await prepared()
    const folder = aFolder()
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write('good.md', '---\ntitle: Good\n---\nText')
    write('unclosed.md', '---\ntitle: Never closed\n')
    write('yaml.md', '---\ntitle: Bad\nsummary: [one, two\n---\nText')
    write('unknown.md', '---\ntitle: Bad\nmood: fine\n---\nText')
    write('wrong.md', '---\ntitle: Bad\nreadingMinutes: soon\n---\nText')
    write('nobody.md', '---\ntitle: Bad\nauthor: nobody\n---\nText')
    const { code, stdout, stderr } = await quire(['import', folder, ...into(data, 'article')])
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toContain('created good.md')
    expect(stdout).toMatch(/failed unclosed\.md:1: .*not closed/)
    expect(stdout).toMatch(/failed yaml\.md:[34]: /)
    expect(stdout).toMatch(/failed unknown\.md:3: "mood" is not a field of the content type "article"/)
    expect(stdout).toMatch(/failed wrong\.md:3: fields\.readingMinutes /)
    expect(stdout).toMatch(/failed nobody\.md:3: there is no item with the slug "nobody"/)
    expect(stdout).toContain('1 created, 0 updated, 0 unchanged, 5 failed.')
  })

  it('with --dry-run prints what would happen and changes nothing', async () => {
    const data = await prepared()
    const { code, stdout } = await quire([
      'import',
      join(magazine, 'authors'),
      ...into(data, 'author'),
      '--dry-run',
    ])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Nothing was changed. The import would give: 5 created'),
    ])
    expect(await inFolder(data, (_, api) => api.items.list({ configId: 'notes' }))).toMatchObject({
      count: 0,
    })
  })

  it('makes one item of the files of one document in several locales', async () => {
    const data = aFolder()
    await inFolder(data, async (_, api) => {
      const list = [
        { code: 'en', name: 'English' },
        { code: 'de', name: 'Deutsch' },
      ]
      await api.repositories.create({ name: 'notes', settings: { locales: { default: 'en', list } } })
      await api.types.create({
        name: 'note',
        fields: [
          { name: 'title', kind: 'text', localized: true },
          { name: 'pages', kind: 'integer' },
        ],
      })
    })
    const folder = aFolder()
    for (const locale of ['en', 'de']) mkdirSync(join(folder, 'blog', locale), { recursive: true })
    const write = (name: string, text: string) => writeFileSync(join(folder, 'blog', name), text)
    write('en/hello.md', '---\ntitle: Hello\npages: 3\n---\n')
    write('de/hello.md', '---\ntitle: Hallo\npublished: true\n---\n')
    write('en/ink.md', '---\npages: 3\n---\n')
    write('de/ink.md', '---\npages: 4\n---\n')
    const expected = (counts: string, change: string) => ({
      code: 1,
      stdout: [
        `4 Markdown files in ${folder}`,
        `${change} blog/en/hello.md, blog/de/hello.md`,
        'failed blog/de/ink.md:2: fields.pages differs from blog/en/ink.md, and is not localized',
        `${counts}, 1 failed.\n`,
      ].join('\n'),
    })
    expect(await quire(['import', folder, ...into(data, 'note'), '--dry-run'])).toMatchObject(
      expected('Nothing was changed. The import would give: 1 created, 0 updated, 0 unchanged', 'created'),
    )
    expect(await quire(['import', folder, ...into(data, 'note')])).toMatchObject(
      expected('1 created, 0 updated, 0 unchanged', 'created'),
    )
    expect(await quire(['import', folder, ...into(data, 'note')])).toMatchObject(
      expected('0 created, 0 updated, 1 unchanged', 'unchanged'),
    )
    const items = await inFolder(data, (_, api) => api.items.list({ configId: 'notes', locale: '*' }))
    expect(items).toMatchObject({
      count: 1,
      items: [
        {
          slug: 'blog-hello',
          name: 'Hello',
          fields: { title: { en: 'Hello', de: 'Hallo' }, pages: 3 },
          publications: { de: {} },
        },
      ],
    })
  })

  it('imports into a running service over HTTP, and refuses the folder that the service has open', async () => {
    const data = await prepared()
    const served = await serveFolder(data)
    const { clientId, clientSecret } = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8'))
    const pages = ['import', join(magazine, 'pages'), '--repository', 'notes', '--type', 'page']
    const embedded = await quire([...pages, '--data', data])
    expect([embedded.code, embedded.stderr]).toEqual([
      1,
      expect.stringMatching(/^quire: Another server uses [^\n]+\n$/),
    ])
    const remote = await quire([
      ...pages,
      '--url',
      served.url,
      '--client-id',
      clientId,
      '--client-secret',
      clientSecret,
    ])
    expect([remote.code, remote.stdout]).toEqual([0, expect.stringContaining('3 created')])
    expect(await (await served.get('/api/items/notes')).json()).toMatchObject({ count: 3 })
  })

  it.each([
    [['--repository', 'nothing', '--type', 'page'], /no repository "nothing"/],
    [['--repository', 'notes', '--type', 'nothing'], /no content type "nothing"/],
  ])('with %j reports what is missing', async (target, words) => {
    const data = await prepared()
    const { code, stderr } = await quire(['import', join(magazine, 'pages'), ...target, '--data', data])
    expect([code, stderr]).toEqual([1, expect.stringMatching(words)])
  })

  it('reports a missing folder in one line', async () => {
    const data = await prepared()
    const { code, stderr } = await quire(['import', join(aFolder(), 'nothing'), ...into(data, 'page')])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^quire: The folder [^\n]+ does not exist\.\n$/),
    ])
    mkdirSync(join(data, 'empty'))
    expect((await quire(['import', join(data, 'empty'), ...into(data, 'page')])).code).toBe(0)
  })
})
