import { all, isQuireError } from '@quire/client'
import type { Api, Item } from '@quire/contract'

/** The repository of the articles. */
const magazine = { configId: 'magazine' }

/** The outcome of `edit`, without parts that differ between runs. */
export interface Edited {
  /** Status of the article after it was published, and again with a newer draft. */
  readonly statuses: readonly string[]
  readonly slugs: readonly string[]
  readonly cards: readonly (string | null)[]
  /** Body of the published version, while there is a newer draft. */
  readonly publishedBody: unknown
  /** The answer to a filtered list. */
  readonly unpublished: { readonly count: number | undefined; readonly names: readonly string[] }
  /** Names of all articles, read with two per page. */
  readonly paged: readonly string[]
  readonly failures: readonly Failure[]
}

interface Failure {
  readonly code: string
  readonly status: number
  readonly paths: readonly string[]
}

/**
 * Some editorial work on an empty service: a type, three articles, a publication, lists, and three
 * rejected calls. It uses everything that the engine loads on demand: templates, patterns,
 * sanitized HTML and a non-Latin script.
 */
export async function edit(api: Api): Promise<Edited> {
  await prepare(api)
  const [first, ...others] = await createArticles(api)
  const at = { ...magazine, id: first.id }
  const published = await api.items.publish(at)
  const newer = await api.items.update({ ...at, fields: { body: '<p>Not yet.</p>' } })
  const readers = await api.items.get({ ...at, version: 'latestpublished' })
  const list = await api.items.list({ ...magazine, filter: { isPublished: false }, sort: 'name' })
  return {
    statuses: [published.status, newer.status],
    slugs: [first, ...others].map(({ slug }) => slug),
    cards: [first, ...others].map(({ cardPreview }) => cardPreview),
    publishedBody: readers.fields?.['body'],
    unpublished: { count: list.count, names: list.items.map(({ name = '' }) => name) },
    paged: await namesByTwo(api),
    failures: await refused(api, first.slug),
  }
}

async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: magazine.configId })
  await api.types.create({
    name: 'article',
    settings: { slugFrom: 'title', cardTemplate: '<b>{{ item.fields.title }}</b>' },
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'shelf', kind: 'text', settings: { pattern: '[A-Z]+[0-9]+' } },
      { name: 'body', kind: 'richText' },
    ],
  })
}

const article = (title: string, fields: Item['fields'] = {}) => ({
  repositoryId: magazine.configId,
  type: 'article',
  name: title,
  fields: { title, ...fields },
})

async function createArticles(api: Api): Promise<[Item, Item, Item]> {
  const body = '<p onclick="alert(1)">It darkens.</p><script>alert(1)</script>'
  return [
    await api.items.create(article('Ink & paper', { shelf: 'AB12', body })),
    await api.items.create(article('Чернила')),
    await api.items.create(article('A room')),
  ]
}

async function namesByTwo(api: Api): Promise<string[]> {
  const names: string[] = []
  for await (const { name = '' } of all(api.items.list, { ...magazine, limit: 2, sort: 'name' }))
    names.push(name)
  return names
}

async function refused(api: Api, slug: string): Promise<Failure[]> {
  return [
    await failureOf(api.items.create({ ...article('Another'), slug })),
    await failureOf(api.items.create(article('Misplaced', { shelf: 'top' }))),
    await failureOf(api.items.get({ ...magazine, id: 'ITEM_0' })),
  ]
}

async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error: unknown = await call.then(
    () => new Error('the call was not rejected'),
    (reason: unknown) => reason,
  )
  if (!isQuireError(error)) throw error
  const { code, status, issues = [] } = error
  return { code, status, paths: issues.map(({ path }) => path) }
}
