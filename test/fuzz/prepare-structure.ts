import type { Api } from '@quire/contract'
import type { KnownCategory } from './pool.ts'

/** A saved query of the prepared repository that nothing of the fuzz deletes. */
export const preparedQuery = 'by-words'

/** What items can be put into. */
export interface PreparedStructure {
  readonly folder: string
  readonly category: KnownCategory
}

/** A folder, a category and a saved query on the main line of a repository. */
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
  return { folder: folder.id, category: { isInPackage: false, taxonomyId, id } }
}
