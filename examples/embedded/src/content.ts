import type { Api } from '@quire/contract'
import { systemIdentity, type Quire, type Principal } from '@quire/core'

/** The repository of the articles. */
const magazine = { configId: 'magazine' }

/** Creates the repository, its content type and a first article, if this is the first start. */
export async function prepareContent(quire: Quire): Promise<void> {
  const setup = quire.as(systemIdentity('setup'))
  const { count } = await setup.repositories.list()
  if (count !== 0) return
  await setup.repositories.create({ name: magazine.configId, displayName: 'The Magazine' })
  await setup.types.create({
    name: 'article',
    settings: { slugFrom: 'title' },
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'body', kind: 'richText' },
    ],
  })
  const title = 'Ink that remembers'
  const fields = { title, body: '<p>It goes on pale, and darkens for days.</p>' }
  const { id } = await setup.items.create({ repositoryId: 'magazine', type: 'article', name: title, fields })
  await setup.items.publish({ ...magazine, id })
}

/** A read-only account for generating the pages. */
export async function websiteReader(quire: Quire): Promise<Principal> {
  const setup = quire.as(systemIdentity('setup'))
  const { items } = await setup.serviceAccounts.list()
  const existing = items.find(({ name }) => name === 'Website')
  if (existing) return { kind: 'service', id: existing.id }
  const role = await setup.roles.create({ name: 'Website', bundles: ['bundle.viewer'] })
  const { id } = await setup.serviceAccounts.create({ name: 'Website', roles: [role.id] })
  return { kind: 'service', id }
}

/** The parts of an article that a page shows. */
export interface Article {
  readonly title: string
  readonly slug: string
  /** HTML that was sanitized when it was saved. */
  readonly body: string
}

/** The published articles, newest first. */
export async function publishedArticles(api: Api): Promise<Article[]> {
  const { items } = await api.items.list({
    ...magazine,
    type: 'article',
    filter: { isPublished: true },
    sort: '-publishedDate',
  })
  return Promise.all(items.map(({ id }) => publishedVersion(api, id)))
}

/**
 * The published article with a slug. Errors: `not_found` if there is none, or if it has no
 * published version.
 */
export async function publishedArticle(api: Api, slug: string): Promise<Article> {
  const { id } = await api.items.getBySlug({ ...magazine, slug, select: ['id'] })
  return publishedVersion(api, id)
}

/** The published version, even if there is a newer draft. */
async function publishedVersion(api: Api, id: string): Promise<Article> {
  const { fields = {}, slug = '' } = await api.items.get({ ...magazine, id, version: 'latestpublished' })
  return { slug, title: textOf(fields['title']), body: textOf(fields['body']) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
