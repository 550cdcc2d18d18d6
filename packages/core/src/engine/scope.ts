import {
  permissionCatalogue,
  permissionKeys,
  permissionKeysOf,
  QuireError,
  type Package,
  type PermissionKey,
  type PermissionScope,
} from '@quire/contract'
import { mayDo, mayDoWithin, type Permissions } from './access/permissions.ts'
import { notPermitted, remember, requirePermission, type Call } from './call.ts'
import type { Base, Entity, Branch, RecordReader, RecordKind, Stored } from '../ports/index.ts'

/** Where an item operation works. */
export interface Scope {
  readonly repository: Stored<'repository'>
  readonly branch: Branch
  readonly package: Stored<'package'> | null
}

/** How an input names a place. */
export interface ScopeRef {
  readonly configId: string
  readonly packageName?: string | undefined
}

/**
 * The branch that a path or body names, for a caller who may read something there.
 * Errors: `not_found`, one and the same for what is absent and for what the caller may not see.
 */
export async function findScope(call: Call, { configId, packageName }: ScopeRef): Promise<Scope> {
  const repository = await findRepository(call, configId)
  if (packageName === undefined) {
    return declaredIn(call, { repository, package: null, branch: { repositoryId: repository.id, packageId: null } })
  }
  const found = await findPackage(call, repository.id, packageName)
  return declaredIn(call, { repository, package: found, branch: { repositoryId: repository.id, packageId: found.id } })
}

/** The scope, if the caller holds there what the contract asks for on a repository. Errors: `forbidden`. */
function declaredIn(call: Call, scope: Scope): Scope {
  const { permission, identity } = call
  if (typeof permission !== 'object' || permission.on !== 'repository') return scope
  const keys = permissionKeysOf(permission)
  if (keys.some((key) => mayDo(identity.permissions, key, scope.branch))) return scope
  throw notPermitted(keys)
}

/** The place of a branch that is known to be there. */
export async function scopeOf(call: Call, branch: Branch): Promise<Scope> {
  const { records } = call.store
  const repository = await records.get('repository', branch.repositoryId)
  if (!repository) throw new QuireError('not_found', `There is no repository "${branch.repositoryId}".`)
  const found = branch.packageId === null ? null : await records.get('package', branch.packageId)
  return { repository, branch, package: found }
}

/** A repository by id or name, whoever asks; null: there is none. */
export function knownRepository(call: Call, ref: string): Promise<Stored<'repository'> | null> {
  return remember(call, `repository:${ref}`, () => byIdOrName(call.store.records, 'repository', ref))
}

/**
 * A repository by id or name. Errors: `not_found`, also when the caller holds nothing in it; `forbidden` naming the key of the operation
 * when it is held elsewhere alone.
 */
export async function findRepository(call: Call, ref: string): Promise<Stored<'repository'>> {
  const repository = await knownRepository(call, ref)
  const sites = repository ? await sitesHeldIn(call, repository.id) : []
  if (!repository || !(maySeeRepository(call, repository.id) || sites.length > 0)) {
    throw new QuireError('not_found', `There is no repository "${ref}" that you may see.`)
  }
  requireKeyIn(call, repository.id, sites)
  return repository
}

/** Whether the caller holds any key that counts in a repository: who does sees that it is there. */
export function maySeeRepository({ identity }: Pick<Call, 'identity'>, repositoryId: string): boolean {
  return keysOfRepositories.some((key) => holdsIn(identity.permissions, key, repositoryId))
}

/** Whether the caller may read anything of a repository. */
export function mayReadInRepository({ identity }: Pick<Call, 'identity'>, repositoryId: string): boolean {
  const { permissions } = identity
  const structure = ['admin.repositories.view', 'folders.read', 'taxonomies.read', 'sites.view'] as const
  return (
    structure.some((key) => mayDo(permissions, key, { repositoryId })) ||
    holdsIn(permissions, 'items.read', repositoryId)
  )
}

const keysOfRepositories = permissionKeys.filter((key) => {
  const scopes: readonly PermissionScope[] = permissionCatalogue[key].scopes
  return scopes.includes('repository') || scopes.includes('site')
})

/** Whether a key is held on a repository or on a type there, be it in packages only: what names none is asked again where it works. */
function holdsIn(permissions: Permissions, key: PermissionKey, repositoryId: string): boolean {
  return mayDoWithin(permissions, key, { repositoryId, packageId: 'any' })
}

/** The key that an operation declares is asked for where the operation works, so that the refusal names it. Errors: `forbidden`. */
function requireKeyIn({ identity, permission }: Call, repositoryId: string, sites: readonly string[]): void {
  const { permissions } = identity
  const keys = permission ? permissionKeysOf(permission) : []
  if (keys.length === 0) return
  const isHeld = (key: PermissionKey) =>
    holdsIn(permissions, key, repositoryId) ||
    sites.some((siteId) => mayDo(permissions, key, { siteId, packageId: 'any' }))
  if (!keys.some(isHeld)) throw notPermitted(keys)
}

/** The sites of a repository that the caller holds a key of. */
async function sitesHeldIn({ identity, store }: Call, repositoryId: string): Promise<readonly string[]> {
  const { sites: held, inPackages } = identity.permissions
  const ids = [...new Set([...held.keys(), ...inPackages.sites.keys()])]
  if (ids.length === 0) return []
  const sites = await store.entities.getMany({ repositoryId, packageId: null }, 'site', ids)
  return sites.filter(({ deletedDate }) => deletedDate === null).map(({ id }) => id)
}

/** A record of a kind with unique names, by id or name; null when absent. */
export async function byIdOrName<K extends RecordKind>(
  records: RecordReader,
  kind: K,
  ref: string,
): Promise<Stored<K> | null> {
  return (await records.get(kind, ref)) ?? (await records.find(kind, `name:${ref}`))
}

/** A package by name, for a caller who may see packages there. Errors: `forbidden`, whatever the name; `not_found`. */
export async function findPackage(
  call: Call,
  repositoryId: string,
  name: string,
): Promise<Stored<'package'>> {
  return findPackageBy(call, { repositoryId, name, key: 'packages.view' })
}

/** What a package is looked up by, and the key that permits it. */
export interface PackageLookup {
  readonly repositoryId: string
  readonly name: string
  readonly key: PermissionKey
}

/** A package by name, for whoever holds the one key there. Errors: `forbidden`, whatever the name; `not_found`. */
export async function findPackageBy(
  call: Call,
  { repositoryId, name, key }: PackageLookup,
): Promise<Stored<'package'>> {
  requirePermission(call, key, { repositoryId })
  const unique = packageKey(repositoryId, name)
  const found = await remember(call, `package:${unique}`, () => call.store.records.find('package', unique))
  if (found) return found
  throw new QuireError('not_found', `There is no package "${name}" in this repository.`)
}

/** The unique key of a package by its name, for `find`: names that are written in two ways are one (NFC). */
export function packageKey(repositoryId: string, name: string): string {
  return `name:${repositoryId}/${name.normalize('NFC')}`
}

/** What a package starts from when it takes in a head of main. */
export function baseOf({ version, publishedVersion, archived, deletedDate }: Entity): Base {
  return { version, publishedVersion, archived, deleted: deletedDate !== null }
}

/** The main branch below a place. */
export function mainOf({ repository, branch }: Scope): Scope {
  return { repository, branch: { ...branch, packageId: null }, package: null }
}

/** Errors: `invalid_state` when the package takes no more changes (DESIGN "Packages"). */
export function requireOpen(found: Pick<Package, 'name' | 'state'> | null): void {
  if (!found || found.state === 'open') return
  throw new QuireError(
    'invalid_state',
    `The package "${found.name}" is ${found.state}: only an open package takes changes.`,
  )
}
