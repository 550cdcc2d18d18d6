import type { AnswerInfo, Binary, CallOptions } from '@quire/contract'
import { configId, type CachingWorld } from './world.ts'

/** What a caller without a token gets: a text to compare, and the tags. */
export interface PublicAnswer {
  readonly name: string
  readonly text: string
  readonly tags: readonly string[]
}

type Read = (options: CallOptions) => Promise<unknown>

/** Reads the public answers that a frontend of the world would read, each with its tags. */
export async function publicAnswers(world: CachingWorld): Promise<PublicAnswer[]> {
  const answers = []
  for (const [name, read] of questionsOf(world)) {
    let tags: readonly string[] = []
    const onAnswer = (about: AnswerInfo) => {
      tags = about.cacheTags ?? []
    }
    const text = await read({ onAnswer }).then(textOf, (error: unknown) => `failed ${codeOf(error)}`)
    // An error is never stored by a cache.
    answers.push({ name, text, tags: text.startsWith('failed ') ? [] : tags })
  }
  return answers
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

async function textOf(answer: unknown): Promise<string> {
  if (!isBinary(answer)) return JSON.stringify(answer)
  const { etag, mimeType } = answer
  return `${etag} ${mimeType} ${Buffer.from(await answer.bytes()).toString('base64')}`
}

function isBinary(answer: unknown): answer is Binary {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer
}

function questionsOf(world: CachingWorld): readonly (readonly [string, Read])[] {
  return [...itemQuestions(world), ...listQuestions(world), ...fileQuestions(world), ...graphQuestions(world)]
}

function itemQuestions({ reader: { published }, articles, authors }: CachingWorld) {
  return [
    ...[...articles, ...authors].map((id, index): readonly [string, Read] => [
      `item ${index}`,
      (options) => published.item({ configId, id }, options),
    ]),
    ...articles.map((id, index): readonly [string, Read] => [
      `item ${index} with author`,
      (options) => published.item({ configId, id, include: ['author'] }, options),
    ]),
    ...['article-0', 'article-3', 'renamed-0', 'renamed-1'].map((slug): readonly [string, Read] => [
      `slug ${slug}`,
      (options) => published.itemBySlug({ configId, slug }, options),
    ]),
  ]
}

function listQuestions({ reader: { published }, folders, articles }: CachingWorld) {
  const lists = {
    all: {},
    articles: { type: 'article', sort: 'name' },
    authors: { type: 'author' },
    names: { type: 'article', select: ['name'], sort: 'name' },
    ranked: { type: 'article', filter: { 'fields.rank': { gte: 2 } }, sort: '-fields.rank' },
    written: { type: 'article', include: ['author'], limit: 2, sort: 'name' },
    'in the folder': { folderId: folders[0] ?? '' },
    'below the folder': { folderId: folders[0] ?? '', recursive: true },
    newest: { type: 'article', sort: '-publishedDate', limit: 1 },
    nothing: { type: 'unknown', filter: { id: articles[0] ?? '' } },
  }
  return Object.entries(lists).map(([name, input]): readonly [string, Read] => [
    `list ${name}`,
    (options) => published.items({ configId, ...input }, options),
  ])
}

function fileQuestions({ reader, quire, repositoryId, picture }: CachingWorld) {
  const { published, sites } = reader
  const url = `${quire.baseUrl}/api/embed/${repositoryId}/${picture}`
  return [
    ...['original', 'thumbnail', 'hero'].map((rendition): readonly [string, Read] => [
      `picture ${rendition}`,
      (options) => published.asset({ configId, assetId: picture, rendition }, options),
    ]),
    ['embed', (options) => published.embed({ configId, assetId: picture }, options)] as const,
    ['oembed', (options) => published.oembed({ url }, options)] as const,
    ...['page-0/', 'page-1/', 'page-2/', 'renamed/', 'page-0/index.html', 'sitemap.xml', 'robots.txt'].map(
      (path): readonly [string, Read] => [
        `page ${path}`,
        (options) => sites.serve({ siteSlug: 'journal', path }, options),
      ],
    ),
  ] satisfies readonly (readonly [string, Read])[]
}

function graphQuestions({ reader: { graphql }, articles }: CachingWorld) {
  const queries = [
    '{ articles(limit: 10, sort: [name_ASC]) { count items { name title author { name } } } }',
    `{ article(id: "${articles[3]}") { name slug categories { name taxonomyName } } }`,
    `{ article(id: "${articles[0]}") { name slug categories { name taxonomyName } } }`,
    '{ item(slug: "article-0") { id name } }',
    '{ authors(limit: 10) { count } }',
  ]
  return queries.map((query): readonly [string, Read] => [
    `graphql ${query}`,
    (options) => graphql.query({ configId, query }, options),
  ])
}
