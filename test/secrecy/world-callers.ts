import type { Api, PermissionKey } from '@quire/contract'
import { anonymous, type Principal } from '@quire/core'

/**
 * The caller: anonymous in a public repository, a reader of all types, or a reader or editor of
 * items of three of four types.
 */
export type Caller = 'anonymous caller' | 'reader' | 'typed reader' | 'typed editor'

const reading: readonly PermissionKey[] = ['items.read', 'assets.read', 'assets.download']
const editing: readonly PermissionKey[] = [...reading, 'items.create', 'items.update', 'items.delete']
const asking: readonly PermissionKey[] = ['queries.run', 'graphql.query']
const ofStructure: readonly PermissionKey[] = ['folders.read', 'taxonomies.read']
const ofEditors: readonly PermissionKey[] = [
  ...ofStructure,
  'folders.update',
  'folders.delete',
  'taxonomies.update',
  'taxonomies.delete',
  'packages.view',
  'packages.diff.view',
  'queries.save',
  'activity.view',
]

const readableTypes = ['article', 'author', 'file']

/** The permissions of callers: on the whole repository, and on items of some types. */
const rights: Readonly<Record<Exclude<Caller, 'anonymous caller'>, readonly (readonly PermissionKey[])[]>> = {
  reader: [[...asking, ...ofStructure, ...reading], []],
  'typed reader': [asking, reading],
  'typed editor': [[...asking, ...ofEditors], editing],
}

/** Creates the account that may not read the differing content. */
export async function makeCaller(api: Api, caller: Caller, repositoryId: string): Promise<Principal> {
  if (caller === 'anonymous caller') return anonymous
  const [ofAll = [], ofSome = []] = rights[caller]
  const typed = readableTypes.map((type): [string, PermissionKey[]] => [
    `${repositoryId}:${type}`,
    [...ofSome],
  ])
  const repos = { ...Object.fromEntries(typed), [repositoryId]: [...ofAll] }
  const role = await api.roles.create({ name: 'Readers', permissions: { repos } })
  const { id } = await api.serviceAccounts.create({ name: 'Reader', roles: [role.id] })
  return { kind: 'service', id }
}

/** Creates an account that may read everything. */
export async function makeInsider(api: Api, inner: string): Promise<Principal> {
  const role = await api.roles.create({ name: 'All', bundles: ['bundle.administrator'] })
  const { id } = await api.serviceAccounts.create({ name: 'Insider', roles: [role.id, inner] })
  return { kind: 'service', id }
}
