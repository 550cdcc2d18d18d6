import {
  permissionCatalogue,
  permissionKeys,
  permissionKeysOf,
  QuireError,
  type KeyPermission,
  type Package,
  type PermissionKey,
  type PermissionScope,
} from '@quire/contract'
import { mayDo, mayDoInSomeLocale, mayDoWithin, type Permissions } from './access/permissions.ts'
import { notPermitted, remember, requirePermission, type Call } from './call.ts'
import { openLocales } from './locales.ts'
import { describeCall, noTrace } from './trace.ts'
import type { Base, Entity, Branch, RecordReader, RecordKind, Stored } from '../ports/index.ts'

/** The repository and branch on which an operation works. */
export interface Scope {
  readonly repository: Stored<'repository'>
  readonly branch: Branch
  readonly package: Stored<'package'> | null
}

/** How an input names a scope. */
export interface ScopeRef {
  readonly configId: string
  readonly packageName?: string | undefined
}

/**
 * The scope that a path or body names, for a caller who may read something in it. Errors:
 * `not_found`, the same for what does not exist and for what the caller may not see.
 */
export async function findScope(call: Call, { configId, packageName }: ScopeRef): Promise<Scope> {
  const repository = await findRepository(call, configId)
  const found = packageName === undefined ? null : await findPackage(call, repository.id, packageName)
  const branch = { repositoryId: repository.id, packageId: found?.id ?? null }
  const { permission } = call
  // Checked here, because no operation can do without its scope.
  if (typeof permission === 'object' && permission.on === 'repository')
    requirePermission(call, permission.key, branch)
  describeScope(call, branch)
  openLocales(call, repository)
  return { repository, package: found, branch }
}

/** Records in the trace where a call works. */
export function describeScope({ trace }: Pick<Call, 'trace'>, { repositoryId, packageId }: Branch): void {
  if (trace === noTrace) return
  const ofPackage = packageId !== null && { 'quire.package': packageId }
  describeCall(trace, { 'quire.repository': repositoryId, ...ofPackage })
}

/** The scope of a branch that exists. */
export async function scopeOf(call: Call, branch: Branch): Promise<Scope> {
  const { records } = call.store
  const repository = await records.get('repository', branch.repositoryId)
  if (!repository) throw new QuireError('not_found', `There is no repository "${branch.repositoryId}".`)
  const found = branch.packageId === null ? null : await records.get('package', branch.packageId)
  openLocales(call, repository)
  return { repository, branch, package: found }
}

/** A repository by id or name, without checking the caller; null when there is none. */
export function knownRepository(call: Call, ref: string): Promise<Stored<'repository'> | null> {
  return remember(call, `repository:${ref}`, () => byIdOrName(call.store.records, 'repository', ref))
}

/**
 * A repository by id or name. Errors: `not_found`, also when the caller holds nothing in it;
 * `forbidden`, naming the operation's key, when the caller holds that key only elsewhere.
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

/**
 * Whether the caller holds any key that applies in a repository, and therefore sees that it exists.
 */
export function maySeeRepository({ identity }: Pick<Call, 'identity'>, repositoryId: string): boolean {
  return keysOfRepositories.some((key) => holdsIn(identity.permissions, key, repositoryId))
}

/** Whether the caller may read anything in a repository. */
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

/**
 * Whether a key is held on a repository or on a type in it, even if only in packages. Without a
 * type this is a first check; the operation checks again for the things that it works on.
 */
function holdsIn(permissions: Permissions, key: PermissionKey, repositoryId: string): boolean {
  return mayDoWithin(permissions, key, { repositoryId, packageId: 'any' })
}

/**
 * Checks the key that an operation declares, where the operation works, so that the refusal names
 * it. Errors: `forbidden`.
 */
function requireKeyIn({ identity, permission }: Call, repositoryId: string, sites: readonly string[]): void {
  const { permissions } = identity
  const keys = permission ? permissionKeysOf(permission) : []
  if (keys.length === 0) return
  const isByLocale = typeof permission === 'object' && permission.byLocale === true
  const isHeld = (key: PermissionKey) =>
    holdsIn(permissions, key, repositoryId) ||
    sites.some((siteId) => mayDo(permissions, key, { siteId, packageId: 'any' })) ||
    (isByLocale && mayDoInSomeLocale(permissions, key, repositoryId))
  if (!keys.some(isHeld)) throw notPermitted(keys)
}

/** The sites of a repository on which the caller holds a key. */
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

/** How to look up a package, and the key that permits it, or several of which one does. */
export interface PackageLookup {
  readonly repositoryId: string
  readonly name: string
  readonly key: KeyPermission['key']
}

/**
 * A package by name, for callers who hold the given key. Errors: `forbidden`, whatever the name;
 * `not_found`.
 */
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

/**
 * The unique key of a package for `find`. Names are normalized to NFC, so that two spellings of a
 * name are the same.
 */
export function packageKey(repositoryId: string, name: string): string {
  return `name:${repositoryId}/${name.normalize('NFC')}`
}

/** The base that a package records when it first changes a head of main. */
export function baseOf({ version, publishedVersion, archived, deletedDate }: Entity): Base {
  return { version, publishedVersion, archived, deleted: deletedDate !== null }
}

/** The main branch of the scope's repository. */
export function mainOf({ repository, branch }: Scope): Scope {
  return { repository, branch: { ...branch, packageId: null }, package: null }
}

/** Errors: `invalid_state` when the package no longer accepts changes (DESIGN "Packages"). */
export function requireOpen(found: Pick<Package, 'name' | 'state'> | null): void {
  if (!found || found.state === 'open') return
  throw new QuireError(
    'invalid_state',
    `The package "${found.name}" is ${found.state}: only an open package accepts changes.`,
  )
}
