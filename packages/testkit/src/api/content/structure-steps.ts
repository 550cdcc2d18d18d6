import type { Api, Category, Folder, Taxonomy } from '@quire/contract'
import type { Bench } from '../host.ts'

const configId = 'magazine'

let made = 0

type NewFolder = Partial<Parameters<Api['folders']['create']>[0]>
type NewCategory = Partial<Parameters<Api['categories']['create']>[0]>

/** Creates folders, by default with numbered names. */
export function foldersOf(bench: () => Bench) {
  return (folder: NewFolder = {}): Promise<Folder> =>
    bench().api.folders.create({ configId, name: `Folder ${++made}`, ...folder })
}

export function taxonomiesOf(bench: () => Bench) {
  return (branch: { packageName?: string } = {}): Promise<Taxonomy> =>
    bench().api.taxonomies.create({ configId, name: `Taxonomy ${++made}`, ...branch })
}

/** Creates categories in a taxonomy, by default with numbered names. */
export function categoriesOf(bench: () => Bench) {
  return ({ id: taxonomyId }: Taxonomy, category: NewCategory = {}): Promise<Category> =>
    bench().api.categories.create({ configId, taxonomyId, name: `Category ${++made}`, ...category })
}

/** Identifies a folder or taxonomy on main. */
export function at({ id }: { readonly id: string }) {
  return { configId, id }
}

/** Identifies a category on main. */
export function inTaxonomy({ id, taxonomyId }: Category) {
  return { configId, taxonomyId, id }
}
