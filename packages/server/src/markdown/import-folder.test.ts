import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importFolder, type ImportRequest, type Outcome } from './import-folder.ts'
import { createDryRun } from './dry-run.ts'

let folder: string
let api: Api
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-markdown-'))
  api = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
  await api.repositories.create({ name: 'notes' })
  await api.types.create({
    name: 'note',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'pages', kind: 'integer', settings: { min: 1 } },
      { name: 'next', kind: 'reference', settings: { types: ['note'] } },
      { name: 'related', kind: 'reference', list: true },
      { name: 'body', kind: 'richText', settings: { format: 'html' } },
    ],
  })
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

async function run(mode: ImportRequest['mode'] = 'write') {
  const type = await api.types.get({ id: 'note' })
  const target = { api, repository: 'notes', type, conversion: await createDryRun(type) }
  const outcomes: Outcome[] = []
  const listener = { found: () => undefined, done: (outcome: Outcome) => void outcomes.push(outcome) }
  return { summary: await importFolder(target, { folder, mode, listener }), outcomes }
}

const note = (slug: string) => api.items.getBySlug({ configId: 'notes', slug })

describe('an import', () => {
  it('resolves references by slug, also to later files and to each other', async () => {
    write('a.md', '---\nnext: b\nrelated: [b, c]\n---\n')
    write('b.md', '---\ntitle: B\n---\n')
    write('c.md', '---\ntitle: C\n---\n')
    expect((await run()).summary).toEqual({ created: 3, updated: 0, unchanged: 0, failed: 0 })
    const [a, b, c] = await Promise.all([note('a'), note('b'), note('c')])
    expect(a.fields).toMatchObject({ next: b.id, related: [b.id, c.id] })
  })

  it('leaves alone what only looks different once it is stored', async () => {
    write(
      'a.md',
      '## It\'s "fine"\n\n<b onclick="x()">Bold</b><script>alert(1)</script>\n\n---\n\n![x](y.png)',
    )
    await run()
    const body = (await note('a')).fields?.['body']
    expect(body).toMatch(
      /^<h2>It's "fine"<\/h2>\s*<p><b>Bold<\/b><\/p>\s*<hr \/>\s*<p><img src="y.png" alt="x" \/><\/p>$/,
    )
    expect((await run()).summary).toMatchObject({ unchanged: 1, updated: 0 })
    expect((await note('a')).currentVersion).toBe(1)
  })

  it('publishes files that say so, again after a change, and leaves drafts unpublished', async () => {
    write('a.md', '---\npublished: true\npages: 1\n---\n')
    write('b.md', '---\npages: 1\n---\n')
    await run()
    expect([(await note('a')).status, (await note('b')).status]).toEqual(['published', 'draft'])
    write('a.md', '---\npublished: true\npages: 2\n---\n')
    expect((await run()).summary).toMatchObject({ updated: 1, unchanged: 1 })
    expect(await note('a')).toMatchObject({ status: 'published', currentVersion: 2, fields: { pages: 2 } })
  })

  it('retains what others added to an item', async () => {
    write('a.md', '---\ntitle: A\n---\n')
    await run()
    const { id } = await note('a')
    await api.items.update({ configId: 'notes', id, fields: { pages: 9 } })
    expect((await run()).summary).toMatchObject({ unchanged: 1 })
    write('a.md', '---\ntitle: Another\n---\n')
    await run()
    expect((await note('a')).fields).toMatchObject({ title: 'Another', pages: 9 })
  })

  it('reports in a dry run what a real one would, and changes nothing', async () => {
    write('good.md', '---\ntitle: Good\n---\n')
    write('bad.md', '---\ntitle: Bad\npages: 0\n---\n')
    const { summary, outcomes } = await run('dryRun')
    expect(summary).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 1 })
    expect(outcomes).toContainEqual(expect.objectContaining({ path: 'bad.md', line: 3 }))
    expect((await api.items.list({ configId: 'notes' })).count).toBe(0)
  })

  it('does not take over an item of another type', async () => {
    await api.types.create({ name: 'other', fields: [] })
    await api.items.create({ repositoryId: 'notes', type: 'other', name: 'A', slug: 'a' })
    write('a.md', '---\ntitle: A\n---\n')
    const { outcomes } = await run()
    expect(outcomes).toEqual([
      expect.objectContaining({ change: 'failed', message: expect.stringContaining('of type "other"') }),
    ])
    expect((await note('a')).type).toBe('other')
  })

  it('includes subfolders, and leaves out hidden files and other formats', async () => {
    write('deep/er/a.md', 'A')
    write('.hidden/b.md', 'B')
    write('node_modules/x/c.md', 'C')
    write('d.txt', 'D')
    const { outcomes } = await run()
    expect(outcomes.map(({ path }) => path)).toEqual(['deep/er/a.md'])
    expect((await note('deep-er-a')).name).toBe('deep/er/a.md')
  })

  it('of two files with one slug reports the second', async () => {
    write('a.md', '---\nslug: same\n---\n')
    write('b.md', '---\nslug: same\n---\n')
    const { summary } = await run()
    expect(summary).toMatchObject({ created: 1, failed: 1 })
  })
})
