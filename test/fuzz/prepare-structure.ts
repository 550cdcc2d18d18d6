import type { Api } from '@quire/contract'
import type { KnownCategory, KnownInSite } from './pool.ts'

/** A saved query of the prepared repository that the fuzz never deletes. */
export const preparedQuery = 'by-words'

/** The slug of a site of the prepared repository that the fuzz never deletes. */
export const preparedSite = 'prepared'

/** Where items can be placed and displayed. */
export interface PreparedStructure {
  readonly folder: string
  readonly category: KnownCategory
  readonly section: KnownInSite
  readonly page: KnownInSite
}

/** Creates a folder, a category, a site and a saved query on the main branch of a repository. */
export async function prepareStructure(api: Api, configId: string): Promise<PreparedStructure> {
  const folder = await api.folders.create({ configId, name: 'Prepared' })
  const taxonomy = await api.taxonomies.create({ configId, name: 'Prepared' })
  const taxonomyId = taxonomy.id
  const { id } = await api.categories.create({ configId, taxonomyId, name: 'Ink and what is made of it' })
  await api.savedQueries.create({
    configId,
    name: preparedQuery,
    query: {
      text: { $param: 'words' },
      filter: {
        or: [{ 'fields.price': { gte: { $param: 'least' } } }, { type: { in: { $param: 'types' } } }],
      },
      facets: ['type', 'categories', 'folderId'],
      limit: 20,
    },
    parameters: [
      { name: 'words', kind: 'text', default: 'ink' },
      { name: 'least', kind: 'number' },
      { name: 'types', kind: 'list', default: ['article', 'author'] },
    ],
  })
  return {
    folder: folder.id,
    category: { isInPackage: false, taxonomyId, id },
    ...(await prepareSite(api, configId)),
  }
}

async function prepareSite(api: Api, configId: string): Promise<Pick<PreparedStructure, 'section' | 'page'>> {
  const { id: siteId } = await api.sites.create({ configId, name: 'Prepared', slug: preparedSite })
  const section = await api.sections.create({ configId, siteId, name: 'Articles' })
  const page = await api.pages.create({ configId, siteId, sectionId: section.id, name: 'Ink' })
  await api.sections.update({ configId, siteId, id: section.id, rootPageId: page.id })
  await api.sites.update({ configId, siteId, homeSectionId: section.id })
  const inSite = ({ id }: { readonly id: string }) => ({ isInPackage: false, siteId, id })
  return { section: inSite(section), page: inSite(page) }
}
