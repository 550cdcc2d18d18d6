import type { Api, CallOptions, Category, Folder, SavedQuery, Taxonomy } from '@quire/contract'

const configId = 'magazine'

/** One entity of each kind in a repository other than items. */
export interface OneOfEach {
  readonly folder: Folder
  readonly taxonomy: Taxonomy
  readonly category: Category
  readonly query: SavedQuery
}

export async function createStructure(api: Api): Promise<OneOfEach> {
  const taxonomy = await api.taxonomies.create({ configId, name: 'Matching' })
  return {
    folder: await api.folders.create({ configId, name: 'Matching' }),
    taxonomy,
    category: await api.categories.create({ configId, taxonomyId: taxonomy.id, name: 'Matching' }),
    query: await api.savedQueries.create({ configId, name: 'matching', query: { text: 'ink' } }),
  }
}

/** The current state of the same entities. */
export async function structureOf(
  api: Api,
  { folder, taxonomy, category, query }: OneOfEach,
): Promise<OneOfEach> {
  return {
    folder: await api.folders.get({ configId, id: folder.id }),
    taxonomy: await api.taxonomies.get({ configId, id: taxonomy.id }),
    category: await api.categories.get({ configId, taxonomyId: taxonomy.id, id: category.id }),
    query: await api.savedQueries.get({ configId, name: query.name }),
  }
}

/** All operations on them that accept an Idempotency-Key. */
export function writesOfStructure(api: Api, options: CallOptions): readonly Promise<unknown>[] {
  const onTaxonomy = { configId, taxonomyId: 'TAXO_1' }
  return [
    api.folders.create({ configId, name: 'Twice' }, options),
    api.folders.move({ configId, id: 'FOLD_1', parentId: null }, options),
    api.taxonomies.create({ configId, name: 'Twice' }, options),
    api.categories.create({ ...onTaxonomy, name: 'Twice' }, options),
    api.categories.move({ ...onTaxonomy, id: 'CATG_1', parentId: null }, options),
    api.savedQueries.create({ configId, name: 'twice', query: {} }, options),
    api.admin.rebuildIndex({ id: configId }, options),
  ]
}

/** All operations on them that accept an If-Match. */
export function rewritesOfStructure(
  api: Api,
  { folder, taxonomy, category, query }: OneOfEach,
  options: CallOptions,
): readonly Promise<unknown>[] {
  const onFolder = { configId, id: folder.id }
  const onTaxonomy = { configId, id: taxonomy.id }
  const onCategory = { configId, taxonomyId: taxonomy.id, id: category.id }
  const onQuery = { configId, name: query.name }
  return [
    api.folders.update({ ...onFolder, name: 'x' }, options),
    api.folders.move({ ...onFolder, parentId: null }, options),
    api.folders.delete(onFolder, options),
    api.taxonomies.update({ ...onTaxonomy, name: 'x' }, options),
    api.taxonomies.delete({ ...onTaxonomy, recursive: true }, options),
    api.categories.update({ ...onCategory, name: 'x' }, options),
    api.categories.move({ ...onCategory, parentId: null }, options),
    api.categories.delete(onCategory, options),
    api.savedQueries.update({ ...onQuery, description: 'x' }, options),
    api.savedQueries.delete(onQuery, options),
  ]
}
