import type { Api } from '@quire/contract'
import { repo } from './magazine-engine.ts'

const configId = repo

/** The structure to work on, and the numbers that choose from it. */
export interface StructureTaking {
  readonly taxonomyId: string
  /** All folders and categories created on any branch, in order. */
  readonly folders: string[]
  readonly categories: string[]
  readonly branch: { readonly packageName?: string }
  /** Numbers that choose among the existing entities. */
  readonly item: number
  readonly value: number
}

type Taking = StructureTaking

/** The deeds on folders, categories and the taxonomy. */
export const structureDeeds = [
  'createFolder',
  'renameFolder',
  'moveFolder',
  'deleteFolder',
  'createCategory',
  'renameCategory',
  'moveCategory',
  'deleteCategory',
  'renameTaxonomy',
] as const

export type StructureDeed = (typeof structureDeeds)[number]

/** Deeds that change how items show their categories. */
export const namingDeeds: ReadonlySet<string> = new Set([
  'renameCategory',
  'deleteCategory',
  'renameTaxonomy',
])

/** The calls of the deeds. */
export const structureCalls: {
  readonly [D in StructureDeed]: (api: Api, taking: Taking) => Promise<unknown>
} = {
  async createFolder(api, { folders, branch, item, value }) {
    const { id } = await api.folders.create({
      configId,
      name: `Folder ${value}`,
      parentId: oneOf(folders, item),
      ...branch,
    })
    folders.push(id)
  },
  renameFolder: (api, taking) =>
    api.folders.update({
      ...folderAt(taking),
      name: `Folder ${taking.value}`,
      description: describing(taking),
    }),
  moveFolder: (api, taking) =>
    api.folders.move({ ...folderAt(taking), parentId: oneOf(taking.folders, taking.value) }),
  deleteFolder: (api, taking) =>
    api.folders.delete({ ...folderAt(taking), recursive: taking.value % 2 === 0 }),
  async createCategory(api, { taxonomyId, categories, branch, item, value }) {
    const { id } = await api.categories.create({
      configId,
      taxonomyId,
      name: `Category ${value}`,
      parentId: oneOf(categories, item),
      ...branch,
    })
    categories.push(id)
  },
  renameCategory: (api, taking) =>
    api.categories.update({
      ...categoryAt(taking),
      name: `Category ${taking.value}`,
      description: describing(taking),
      order: taking.value,
    }),
  moveCategory: (api, taking) =>
    api.categories.move({ ...categoryAt(taking), parentId: oneOf(taking.categories, taking.value) }),
  deleteCategory: (api, taking) =>
    api.categories.delete({ ...categoryAt(taking), recursive: taking.value % 2 === 0 }),
  renameTaxonomy: (api, { taxonomyId: id, branch, value }) =>
    api.taxonomies.update({ configId, id, ...branch, name: `Topics ${value}` }),
}

/** One of the ids, or sometimes null. */
export function oneOf(ids: readonly string[], choice: number): string | null {
  return [null, ...ids][choice % (ids.length + 1)] ?? null
}

function folderAt({ folders, branch, item }: Taking) {
  return { configId, id: folders[item % folders.length] ?? 'FOLD_none', ...branch }
}

function categoryAt({ taxonomyId, categories, branch, item }: Taking) {
  return { configId, taxonomyId, id: categories[item % categories.length] ?? 'CATG_none', ...branch }
}

function describing({ value }: Taking): string {
  return value % 2 === 0 ? `First ${value}\nsecond` : `First\nsecond ${value}`
}
