import type { Folder } from '@quire/contract'
import type { Targets } from './targets.ts'

/**
 * Creates a folder, optionally in another one. If the request works on a package, the package
 * changes it.
 */
export async function createFolder(at: Targets, parentId: string | null = null): Promise<Folder> {
  const { system, configId, branch, made, word } = at
  const folder = await system.folders.create({ configId, name: word('Folder'), parentId })
  made.add(folder.id).add(folder.name)
  if (branch.packageName === undefined) return folder
  return system.folders.update({ configId, ...branch, id: folder.id, description: 'Changed in the package' })
}

/** Creates a taxonomy. If the request works on a package, the package changes it. */
export async function createTaxonomy({ system, configId, branch, made, word }: Targets) {
  const { id, name } = await system.taxonomies.create({ configId, name: word('Taxonomy') })
  made.add(id).add(name)
  const ref = { configId, ...branch, id }
  if (branch.packageName !== undefined)
    await system.taxonomies.update({ ...ref, description: 'Changed in the package' })
  return ref
}

/** Creates a category in a new taxonomy, both on the branch of the request. */
export async function createCategory(at: Targets) {
  const { id: taxonomyId, ...scope } = await createTaxonomy(at)
  const { id, name } = await at.system.categories.create({
    ...scope,
    taxonomyId,
    name: at.word('Category'),
  })
  at.made.add(id).add(name)
  return { ...scope, taxonomyId, id }
}

/** Creates a saved query for the newest articles. */
export async function createQuery({ system, configId, made, word }: Targets) {
  const { name } = await system.savedQueries.create({
    configId,
    name: word('query'),
    query: { type: 'article', sort: '-createdDate', limit: { $param: 'most' } },
    parameters: [{ name: 'most', kind: 'number', default: 3 }],
  })
  made.add(name)
  return { configId, name }
}
