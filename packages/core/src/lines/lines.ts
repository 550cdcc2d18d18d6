import { QuireError, type Package } from '@quire/contract'
import { mayDo, readerFor } from '../access/permissions.ts'
import { remember, type Call } from '../call/call.ts'
import type { Base, Entity, Line, RecordReader, RecordKind, Stored } from '../ports/index.ts'

/** Where an item operation works. */
export interface Place {
  readonly repository: Stored<'repository'>
  readonly line: Line
  readonly package: Stored<'package'> | null
}

/** How an input names a place. */
export interface PlaceRef {
  readonly configId: string
  readonly packageName?: string | undefined
}

/**
 * The line that a path or body names, for a caller who may read something there.
 * Errors: `not_found`, one and the same for what is absent and for what the caller may not see.
 */
export async function findPlace(call: Call, { configId, packageName }: PlaceRef): Promise<Place> {
  const repository = await findRepository(call, configId)
  if (packageName === undefined) {
    return { repository, package: null, line: { repositoryId: repository.id, packageId: null } }
  }
  const found = await findPackage(call, repository.id, packageName)
  return { repository, package: found, line: { repositoryId: repository.id, packageId: found.id } }
}

/** The place of a line that is known to be there. */
export async function placeOf(call: Call, line: Line): Promise<Place> {
  const { records } = call.store
  const repository = await records.get('repository', line.repositoryId)
  if (!repository) throw new QuireError('not_found', `There is no repository "${line.repositoryId}".`)
  const found = line.packageId === null ? null : await records.get('package', line.packageId)
  return { repository, line, package: found }
}

/** A repository by id or name, whoever asks; null: there is none. */
export function knownRepository(call: Call, ref: string): Promise<Stored<'repository'> | null> {
  return remember(call, `repository:${ref}`, () => byIdOrName(call.store.records, 'repository', ref))
}

/** A repository by id or name. Errors: `not_found`, also when the caller may read nothing in it. */
export async function findRepository(call: Call, ref: string): Promise<Stored<'repository'>> {
  const repository = await knownRepository(call, ref)
  if (!repository || !(maySeeRepository(call, repository.id) || (await maySeeSiteOf(call, repository.id)))) {
    throw new QuireError('not_found', `There is no repository "${ref}" that you may see.`)
  }
  return repository
}

/** Whether the caller may read anything of a repository. */
export function maySeeRepository(call: Call, repositoryId: string): boolean {
  const { permissions } = call.identity
  const structure = ['admin.repositories.view', 'folders.read', 'taxonomies.read', 'sites.view'] as const
  if (structure.some((key) => mayDo(permissions, key, { repositoryId }))) return true
  const { types } = readerFor(permissions, 'items.read', repositoryId)
  return types === 'all' || types.length > 0
}

/** Whether one of the sites that the caller may see is of a repository. */
async function maySeeSiteOf({ identity, store }: Call, repositoryId: string): Promise<boolean> {
  const seen = [...identity.permissions.sites].filter(([, keys]) => keys.has('sites.view'))
  if (seen.length === 0) return false
  const ids = seen.map(([id]) => id)
  const sites = await store.entities.getMany({ repositoryId, packageId: null }, 'site', ids)
  return sites.some(({ deletedDate }) => deletedDate === null)
}

/** A record of a kind with unique names, by id or name; null when absent. */
export async function byIdOrName<K extends RecordKind>(
  records: RecordReader,
  kind: K,
  ref: string,
): Promise<Stored<K> | null> {
  return (await records.get(kind, ref)) ?? (await records.find(kind, `name:${ref}`))
}

/** A package by name, for a caller who may see packages there. Errors: `not_found`. */
export async function findPackage(
  call: Call,
  repositoryId: string,
  name: string,
): Promise<Stored<'package'>> {
  const key = packageKey(repositoryId, name)
  const found = await remember(call, `package:${key}`, () => call.store.records.find('package', key))
  if (found && mayDo(call.identity.permissions, 'packages.view', { repositoryId })) return found
  throw new QuireError('not_found', `There is no package "${name}" in this repository that you may see.`)
}

/** The unique key of a package by its name, for `find`: names that are written in two ways are one (NFC). */
export function packageKey(repositoryId: string, name: string): string {
  return `name:${repositoryId}/${name.normalize('NFC')}`
}

/** What a package starts from when it takes in a head of main. */
export function baseOf({ version, publishedVersion, archived, deletedDate }: Entity): Base {
  return { version, publishedVersion, archived, deleted: deletedDate !== null }
}

/** The main line below a place. */
export function mainOf({ repository, line }: Place): Place {
  return { repository, line: { ...line, packageId: null }, package: null }
}

/** Errors: `invalid_state` when the package takes no more changes (DESIGN "Packages"). */
export function requireOpen(found: Pick<Package, 'name' | 'state'> | null): void {
  if (!found || found.state === 'open') return
  throw new QuireError(
    'invalid_state',
    `The package "${found.name}" is ${found.state}: only an open package takes changes.`,
  )
}
