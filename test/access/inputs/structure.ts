import { createCategory, createFolder, createTaxonomy } from '../structures.ts'
import type { Targets } from '../targets.ts'
import { createArticle } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about folders. */
export const folders: InputMakers<'folders'> = {
  list: async (at) => ({ ...scopeOf(at), text: wordOf(await createFolder(at)) }),
  tree: async (at) => {
    const { id: parentId } = await createFolder(at)
    await createFolder(at, parentId)
    return { ...scopeOf(at), parentId }
  },
  get: onFolder,
  create: ({ configId, branch, word }) => ({ configId, ...branch, name: word('New') }),
  update: async (at) => ({ ...(await onFolder(at)), description: 'Changed' }),
  move: async (at) => {
    const { id: parentId } = await createFolder(at)
    return { ...(await onFolder(at, parentId)), parentId: null }
  },
  delete: onFolder,
}

/** Deletes a folder with an item that may be hidden from the caller. */
export async function fullFolder(at: Targets) {
  const folder = await onFolder(at)
  const { configId, ...branch } = scopeOf(at)
  const { id } = await createArticle(at)
  await at.system.items.move({ configId, ...branch, id, folderId: folder.id })
  return { ...folder, recursive: true }
}

/** Requests about taxonomies. */
export const taxonomies: InputMakers<'taxonomies'> = {
  list: async (at) => {
    const { id, ...scope } = await createTaxonomy(at)
    return { ...scope, text: wordOf(await at.system.taxonomies.get({ ...scope, id })) }
  },
  get: createTaxonomy,
  create: ({ configId, branch, word }) => ({ configId, ...branch, name: word('New') }),
  update: async (at) => ({ ...(await createTaxonomy(at)), description: 'Changed' }),
  delete: createTaxonomy,
}

/** Requests about categories. */
export const categories: InputMakers<'categories'> = {
  list: async (at) => {
    const { id: _id, ...all } = await createCategory(at)
    return all
  },
  get: createCategory,
  create: async (at) => {
    const { id: taxonomyId, ...scope } = await createTaxonomy(at)
    return { ...scope, taxonomyId, name: at.word('New') }
  },
  update: async (at) => ({ ...(await createCategory(at)), order: 7 }),
  delete: createCategory,
  move: async (at) => {
    const { id: parentId, ...inTaxonomy } = await createCategory(at)
    const { id } = await at.system.categories.create({ ...inTaxonomy, parentId, name: at.word('Inner') })
    at.made.add(id)
    return { ...inTaxonomy, id, parentId: null }
  },
}

/** Deletes a category of an item that may be hidden from the caller. */
export async function heldCategory(at: Targets) {
  const category = await createCategory(at)
  const { id } = await createArticle(at)
  await at.system.items.categorize({ ...scopeOf(at), id, categoryId: category.id })
  return category
}

function scopeOf({ configId, branch }: Targets) {
  return { configId, ...branch }
}

async function onFolder(at: Targets, parentId: string | null = null) {
  const { id } = await createFolder(at, parentId)
  return { ...scopeOf(at), id }
}

/** A unique word in a generated name. */
function wordOf({ name }: { readonly name: string }): string {
  return name.slice(-6)
}
