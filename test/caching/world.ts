import type { Api } from '@quire/contract'
import { anonymous, createQuire, systemIdentity, type Quire } from '@quire/core'
import { fakeMedia } from '@quire/core/memory'
import type { Media, Store } from '@quire/core/ports'

/** The repository whose public answers are compared. */
export const configId = 'journal'

/** An engine with a small public repository, and the ids of what is in it. */
export interface CachingWorld {
  readonly quire: Quire
  readonly store: Store
  readonly desk: Api
  readonly reader: Api
  readonly repositoryId: string
  readonly articles: readonly string[]
  readonly authors: readonly string[]
  readonly picture: string
  readonly folders: readonly string[]
  readonly taxonomyId: string
  readonly categories: readonly string[]
  readonly siteId: string
  readonly pages: readonly string[]
  readonly roleId: string
}

/** Opens a world: some of its items are published, some are drafts. */
export async function openWorld(store: Store): Promise<CachingWorld> {
  const quire = createQuire({ store, media: visiblyMade() })
  const desk = quire.as(systemIdentity('desk'))
  const settings = { graphql: { public: true } }
  const { id: repositoryId } = await desk.repositories.create({ name: configId, public: true, settings })
  await createTypes(desk)
  const role = await desk.roles.create({ name: 'subscribers' })
  const outer = await desk.folders.create({ configId, name: 'outer' })
  const inner = await desk.folders.create({ configId, name: 'inner', parentId: outer.id })
  const folders = [outer.id, inner.id]
  const taxonomy = await desk.taxonomies.create({ configId, name: 'topics' })
  const categories = await createCategories(desk, taxonomy.id)
  const authors = await createAuthors(desk, repositoryId)
  const picture = await createPicture(desk)
  const given = { repositoryId, authors, picture, categories, folders }
  const articles = await createArticles(desk, given)
  const site = await createSite(desk, articles)
  await desk.renditionPresets.create({ configId, name: 'hero', width: 16 })
  const ids = { taxonomyId: taxonomy.id, ...site, roleId: role.id }
  await quire.settled()
  return { quire, store, desk, reader: quire.as(anonymous), articles, ...given, ...ids }
}

async function createTypes(desk: Api): Promise<void> {
  await desk.types.create({ name: 'author', fields: [{ name: 'bio', kind: 'text' }] })
  await desk.types.create({ name: 'picture', settings: { isAsset: true }, fields: [] })
  await desk.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'rank', kind: 'integer' },
      { name: 'author', kind: 'reference', settings: { types: ['author'], onDelete: 'unset' } },
    ],
  })
}

async function createCategories(desk: Api, taxonomyId: string): Promise<string[]> {
  const ids = []
  for (const name of ['paper', 'ink'])
    ids.push((await desk.categories.create({ configId, taxonomyId, name })).id)
  return ids
}

async function createAuthors(desk: Api, repositoryId: string): Promise<string[]> {
  const ids = []
  for (const name of ['ada', 'bo']) {
    const fields = { bio: name }
    ids.push((await desk.items.create({ repositoryId, type: 'author', name, slug: name, fields })).id)
  }
  await desk.items.publish({ configId, id: ids[0] ?? '' })
  return ids
}

async function createPicture(desk: Api): Promise<string> {
  const { id } = await desk.assets.create({ configId, name: 'galls', slug: 'galls', file: pictureOf(40) })
  await desk.items.publish({ configId, id })
  return id
}

async function createArticles(
  desk: Api,
  {
    repositoryId,
    authors,
    categories,
    folders,
  }: Pick<CachingWorld, 'repositoryId' | 'authors' | 'categories' | 'folders'>,
): Promise<string[]> {
  const ids = []
  for (const index of [0, 1, 2, 3]) {
    const name = `article-${index}`
    const fields = { title: name, rank: index, author: authors[index % 2] ?? '' }
    const about = { name, slug: name, fields, folderId: folders[index % 2] ?? null }
    const { id } = await desk.items.create({ repositoryId, type: 'article', ...about })
    if (index < 2) await desk.items.update({ configId, id, categories: [categories[index] ?? ''] })
    if (index < 3) await desk.items.publish({ configId, id })
    ids.push(id)
  }
  return ids
}

async function createSite(desk: Api, articles: readonly string[]) {
  const { id: siteId } = await desk.sites.create({ configId, name: 'Journal', slug: 'journal' })
  const { id: sectionId } = await desk.sections.create({ configId, siteId, name: 'News', slug: 'news' })
  await desk.sites.update({ configId, siteId, homeSectionId: sectionId })
  const pages = []
  for (const [index, itemId] of articles.slice(0, 3).entries()) {
    const page = { sectionId, name: `page-${index}`, slug: `page-${index}`, itemId, order: index }
    pages.push((await desk.pages.create({ configId, siteId, ...page })).id)
  }
  await desk.sites.publish({ configId, siteId })
  return { siteId, pages }
}

/** The fake of the media port, with renditions that differ by their width. */
function visiblyMade(): Media {
  const fake = fakeMedia()
  return {
    probe: (source) => fake.probe(source),
    async make(source, recipe) {
      const made = await fake.make(source, recipe)
      return { ...made, bytes: Uint8Array.from([...made.bytes, made.width % 256]) }
    },
  }
}

/** A PNG of a width, as far as the fake of the media port reads it. */
export function pictureOf(width: number): File {
  const bytes = Uint8Array.from(
    atob(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NoaGgAAAMEAYGa8M1PAAAAAElFTkSuQmCC',
    ),
    (letter) => letter.charCodeAt(0),
  )
  bytes[19] = width
  return new File([bytes], 'galls.png', { type: 'image/png' })
}
