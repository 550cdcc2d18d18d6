import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { expect, it, onTestFinished } from 'vitest'
import { importWordpress } from './import-wordpress.ts'
import { readWxr } from './read-wxr.ts'
import type { schema } from './schema.ts'

const configId = 'magazine'
const xml = readFileSync(join(import.meta.dirname, 'magazine.xml'), 'utf8')

/** One transparent pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** The web server of the old site, of which only this file is needed. */
async function load(url: string): Promise<Blob> {
  expect(url).toBe('http://wordpress.test/wp-content/uploads/2026/11/gall.png')
  return new Blob([png])
}

async function open() {
  const engine = createQuire({ store: createMemoryStore() })
  onTestFinished(() => engine.close())
  const api = engine.as<typeof schema>(systemIdentity('test'))
  await api.repositories.create({ name: configId })
  const target = { api: engine.as(systemIdentity('test')), configId, load }
  return { api, run: async (text = xml) => importWordpress(target, readWxr(text)) }
}

it('brings posts with their authors, categories and pictures', async () => {
  const { api, run } = await open()
  const imported = await run()
  expect(Object.values(imported).flatMap(({ refused }) => refused)).toEqual([])
  const { items: posts } = await api.items.list({ configId, type: 'post', sort: 'fields.wordpressId' })
  const [post, draft] = posts
  expect(posts).toHaveLength(2)
  expect(post).toMatchObject({
    slug: 'ink-and-iron',
    status: 'published',
    fields: {
      title: 'Ink & iron: <em>a love story</em>',
      body: '<p>Crush the galls.</p>\n<p>Add <strong>vitriol</strong>, and wait. </p>',
      excerpt: 'How to make it.',
      date: Date.parse('2026-11-01T08:05:00Z'),
      tags: ['Oak'],
    },
  })
  expect(draft).toMatchObject({
    status: 'draft',
    name: 'Untitled 12',
    fields: { body: '<p>Not finished</p>' },
  })
  const author = await api.items.get<'author'>({ configId, id: String(post?.fields?.author) })
  expect(author.fields).toEqual({ title: 'Ada Quill', login: 'ada', email: 'ada@wordpress.test' })
  const picture = await api.items.get<'picture'>({ configId, id: String(post?.fields?.image) })
  expect(picture).toMatchObject({ status: 'published', fields: { alt: 'An oak gall', wordpressId: 10 } })
})

it('brings categories with their parents', async () => {
  const { api, run } = await open()
  await run()
  const { items } = await api.items.list({ configId, type: 'post', filter: { 'fields.wordpressId': 11 } })
  const [taxonomy] = items[0]?.taxonomies ?? []
  expect(taxonomy).toMatchObject({ name: 'Categories', categories: [{ name: 'Iron gall' }] })
  const tree = await api.categories.list({ configId, taxonomyId: String(taxonomy?.id) })
  const idOf = (name: string) => tree.items.find((one) => one.name === name)
  expect(idOf('Iron gall')?.parentId).toBe(idOf('Inks & dyes')?.id)
})

it('changes only what is new when it runs again', async () => {
  const { api, run } = await open()
  await run()
  expect(await run()).toMatchObject({
    author: { create: 0, unchanged: 1 },
    post: { create: 0, update: 0, unchanged: 1 },
    'post (draft)': { create: 0, update: 0, unchanged: 1 },
    page: { create: 0, update: 0 },
  })
  const finished = xml.replace('Not finished', 'Finished').replace('[draft]', '[publish]')
  expect(await run(finished)).toMatchObject({ post: { update: 1, unchanged: 1 } })
  const { items } = await api.items.list({ configId, type: 'post', filter: { 'fields.wordpressId': 12 } })
  expect(items).toMatchObject([{ status: 'published', fields: { body: '<p>Finished</p>' } }])
})

it('refuses what is no export, and names the row that it cannot save', async () => {
  const { run } = await open()
  await expect(run('<rss><channel></channel></rss>')).rejects.toThrow('no export of WordPress')
  const { author } = await run(xml.replace('[ada@wordpress.test]', '[nobody]'))
  expect(author?.refused).toMatchObject([{ row: 1, path: 'fields.email' }])
})
