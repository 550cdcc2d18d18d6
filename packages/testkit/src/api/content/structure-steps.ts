import type { Api, Category, Folder, Taxonomy } from '@quire/contract'
import type { Bench } from '../host.ts'

const configId = 'magazine'

let made = 0

type NewFolder = Partial<Parameters<Api['folders']['create']>[0]>
type NewCategory = Partial<Parameters<Api['categories']['create']>[0]>

/** Makes folders, named in order unless told. */
export function foldersOf(bench: () => Bench) {
  return (folder: NewFolder = {}): Promise<Folder> =>
    bench().api.folders.create({ configId, name: `Folder ${++made}`, ...folder })
}

/** Makes taxonomies. */
export function taxonomiesOf(bench: () => Bench) {
  return (branch: { packageName?: string } = {}): Promise<Taxonomy> =>
    bench().api.taxonomies.create({ configId, name: `Taxonomy ${++made}`, ...branch })
}

/** Makes categories of a taxonomy, named in order unless told. */
export function categoriesOf(bench: () => Bench) {
  return ({ id: taxonomyId }: Taxonomy, category: NewCategory = {}): Promise<Category> =>
    bench().api.categories.create({ configId, taxonomyId, name: `Category ${++made}`, ...category })
}

/** What names something of the structure on main. */
export function at({ id }: { readonly id: string }) {
  return { configId, id }
}

/** What names a category on main. */
export function inTaxonomy({ id, taxonomyId }: Category) {
  return { configId, taxonomyId, id }
}
