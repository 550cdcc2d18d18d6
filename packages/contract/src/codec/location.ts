import { pathNames } from '../endpoint.ts'
import { routes } from '../routes.ts'
import { fillPath } from './encode-request.ts'
import { isMembers } from './invalid.ts'
import type { Route } from './route.ts'

/**
 * The path of a created entity: the path of its group's `get`, filled in from the response
 * (`configId` and `repo` are its `repositoryId`, `packageName` is a package's name), on the branch
 * of the package that it names. Undefined if the group has no `get`.
 */
export function locationOf(group: string, created: unknown): string | undefined {
  const table: Readonly<Record<string, Readonly<Record<string, Route>>>> = routes
  const read = table[homeOf(group)]?.['get']
  if (!read || !isMembers(created)) return undefined
  const { id, repositoryId, name } = created
  const members: Readonly<Record<string, unknown>> = {
    packageName: name,
    siteId: id,
    ...created,
    configId: repositoryId,
    repo: repositoryId,
  }
  const onPackage = read.packagePath !== undefined && typeof created['packageName'] === 'string'
  const path = (onPackage && read.packagePath) || read.path
  return pathNames(path).every((name) => members[name] !== undefined) ? fillPath(path, members) : undefined
}

const homes: ReadonlyMap<string, string> = new Map([
  ['assets', 'items'],
  ['admin', 'access'],
])

/**
 * The group whose `get` reads what a group creates. An asset is an item, and the specification puts
 * the creation of access configurations into `admin`.
 */
export function homeOf(group: string): string {
  return homes.get(group) ?? group
}
