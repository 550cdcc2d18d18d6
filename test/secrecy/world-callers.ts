import type { Api, PermissionKey } from '@quire/contract'
import { anonymous, type Principal } from '@quire/core'

/** Who asks: nobody in a public repository, the reader of all types, or who reads or edits items of three of four. */
export type Caller = 'nobody' | 'reader' | 'typed reader' | 'typed editor'

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

/** What of a repository callers may do: with all of it, and with items of some types. */
const rights: Readonly<Record<Exclude<Caller, 'nobody'>, readonly (readonly PermissionKey[])[]>> = {
  reader: [[...asking, ...ofStructure, ...reading], []],
  'typed reader': [asking, reading],
  'typed editor': [[...asking, ...ofEditors], editing],
}

/** Makes an account for whoever may not read what differs. */
export async function makeCaller(api: Api, caller: Caller, repositoryId: string): Promise<Principal> {
  if (caller === 'nobody') return anonymous
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

/** Makes an account for whoever may read all. */
export async function makeInsider(api: Api, inner: string): Promise<Principal> {
  const role = await api.roles.create({ name: 'All', bundles: ['bundle.administrator'] })
  const { id } = await api.serviceAccounts.create({ name: 'Insider', roles: [role.id, inner] })
  return { kind: 'service', id }
}
