import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, type Client } from '@quire/client'
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import { articlesWhere, newestArticles, saveDraft } from './articles.ts'
import { AskError, createAsk, type Ask } from './ask.ts'
import { startDemo, type DemoService } from './demo-service.ts'
import {
  ArticlePageDocument,
  CreateArticleDocument,
  NewestArticlesDocument,
  UpdateArticleDocument,
} from './generated/magazine.ts'
import { documentTypes } from './generate/document-types.ts'
import { generate } from './generate/generate.ts'

const generated = (name: string) => readFile(join(import.meta.dirname, 'generated', name), 'utf8')

let demo: DemoService
let quire: Client
let ask: Ask

beforeAll(async () => {
  demo = await startDemo()
  quire = createClient(demo)
  ask = createAsk(quire, 'magazine')
}, 120_000)

afterAll(() => demo.stop())

/** Like `ask`, but runs a function before each document is sent. */
function askAfter(before: (document: string) => Promise<void>): Ask {
  return async (document, variables) => {
    await before(document)
    return ask(document, variables)
  }
}

it('is generated for the current magazine (otherwise run `npm run generate`)', async () => {
  const files = await generate(quire)
  expect(Object.keys(files)).toEqual(['schema.graphql', 'magazine.ts'])
  for (const [name, text] of Object.entries(files)) expect(await generated(name), name).toBe(text)
})

it('does not generate types for a document with an unknown field', async () => {
  const schema = await generated('schema.graphql')
  const wrong = 'query Wrong { articles { items { titel } } }'
  await expect(documentTypes(schema, wrong)).rejects.toThrow('Cannot query field "titel" on type "Article"')
})

it('shows the newest published articles with their authors and covers', async () => {
  const newest = await newestArticles(ask, 2)
  expect(newest).toEqual([
    {
      slug: 'a-library-with-one-key',
      name: 'A library with one key',
      title: 'A library with one key',
      publishedOn: '2026-10-13',
      author: { name: 'Mirela Duda' },
      cover: {
        alt: 'A key as long as a boat lies across the sea, with an orange float',
        rendition: { url: expect.stringMatching(/\/card\?format=webp$/) },
      },
    },
    expect.objectContaining({ slug: 'the-night-shift', author: { name: 'Inês Okafor' } }),
  ])
})

it('names a picture that the same account can fetch', async () => {
  const [article] = await newestArticles(ask, 1)
  const url = new URL(article?.cover?.rendition?.url ?? '', demo.baseUrl)
  const { clientId: client_id, clientSecret: client_secret } = demo.auth
  const token = await quire.auth.token({ grant_type: 'client_credentials', client_id, client_secret })
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token.access_token}` } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
})

it('pages through a list, and asks for the next page only when it is needed', async () => {
  let sent = 0
  const counted = askAfter(async () => void (sent += 1))
  const filter = { topics: { eq: 'paper' }, readingMinutes: { gte: 1 } }
  const slugs: string[] = []
  for await (const { slug } of articlesWhere(counted, filter, 2)) slugs.push(slug)
  expect(slugs).toEqual(['how-to-fold-a-map', 'paper-that-was-a-shirt', 'the-deckle-edge'])
  expect(sent).toBe(2)
  for await (const { slug } of articlesWhere(counted, filter, 2)) if (slug === slugs[1]) break
  expect(sent).toBe(3)
})

it('creates an article, and updates it the next time', async () => {
  const slug = 'the-weight-of-a-page'
  const fields = { title: 'The weight of a page', topics: ['paper'] }
  expect(await saveDraft(ask, { slug, fields })).toEqual({ slug, status: 'draft', currentVersion: 1 })
  const changed = { title: 'The weight of a leaf', readingMinutes: 3 }
  expect(await saveDraft(ask, { slug, fields: changed })).toMatchObject({ slug, currentVersion: 2 })
  const item = await quire.items.getBySlug({ configId: 'magazine', slug })
  expect(item.fields).toEqual({ ...fields, ...changed })
})

it('does not overwrite a change by somebody else', async () => {
  const slug = 'a-page-of-two'
  await saveDraft(ask, { slug, fields: { title: 'A page of two' } })
  const { id } = await quire.items.getBySlug({ configId: 'magazine', slug })
  const withEditor = askAfter(async (document) => {
    if (document !== String(UpdateArticleDocument)) return
    await quire.items.update({ configId: 'magazine', id, fields: { title: 'By the editor' } })
  })
  await expect(saveDraft(withEditor, { slug, fields: { title: 'By the author' } })).rejects.toMatchObject({
    name: 'AskError',
    code: 'version_conflict',
  })
  const { fields } = await quire.items.getBySlug({ configId: 'magazine', slug })
  expect(fields).toEqual({ title: 'By the editor' })
})

it('reports errors with the codes of the other operations', async () => {
  const input = { fields: { title: 'Nowhere' } }
  const error: unknown = await ask(UpdateArticleDocument, { id: 'CONT_NONE', input }).catch(
    (caught) => caught,
  )
  expect(error).toBeInstanceOf(AskError)
  expect(error).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('The item does not exist'),
  })
})

it('rejects what the types do not allow, at compile time and at run time', async () => {
  const [card] = await newestArticles(ask, 1)
  // @ts-expect-error -- the document does not request the body
  expect(card?.body).toBeUndefined()
  // @ts-expect-error -- the limit is missing
  await expect(ask(NewestArticlesDocument, {})).rejects.toThrow('"$limit"')
  // @ts-expect-error -- topics are texts
  await expect(ask(ArticlePageDocument, { filter: { topics: { eq: 5 } }, limit: 1 })).rejects.toThrow('5')
  const misspelt = { titel: 'The weight of a page' }
  // @ts-expect-error -- an article has no such field
  await expect(ask(CreateArticleDocument, { input: { name: 'X', fields: misspelt } })).rejects.toThrow(
    'titel',
  )
})

it('derives the type of an answer from its document', async () => {
  const [card] = await newestArticles(ask, 1)
  expect(card).toBeDefined()
  expectTypeOf(card!.author).toEqualTypeOf<{ readonly name: string } | null>()
  const { articles } = await ask(ArticlePageDocument, { limit: 1 })
  expect(articles.nextCursor).not.toBeNull()
  expectTypeOf(articles.nextCursor).toEqualTypeOf<string | null>()
  expectTypeOf(articles.items[0]!.readingMinutes).toEqualTypeOf<number | null>()
})
