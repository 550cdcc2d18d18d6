import type { Api, Item } from '@quire/contract'
import { anArticle } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'

let made = 0

/** Creates a package in the magazine and returns what identifies it. Every second name has a slash. */
export async function newPackage(api: Api, name = `package${++made % 2 === 0 ? '/' : ' '}${made}`) {
  await api.packages.create({ repo, name })
  return { repo, packageName: name }
}

/** Identifies an item on main. */
export function onMain({ id }: Item) {
  return { configId: repo, id }
}

/** Identifies an item in a package. */
export function inPackage({ id }: Item, packageName: string) {
  return { configId: repo, id, packageName }
}

/** Creates articles on main, with their name as title. */
export function articlesOnMain(bench: () => Bench) {
  return (name: string, fields: Record<string, string | number> = {}) =>
    bench().api.items.create(anArticle({ name, fields: { title: name, ...fields } }))
}
