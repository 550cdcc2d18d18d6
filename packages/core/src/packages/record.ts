import { QuireError, type Package, type PackageState, type PermissionKey } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord, requireRecord } from '../call/records.ts'
import { findPackage, findRepository, type Place } from '../lines/lines.ts'
import type { JournalEntry, JsonObject, Stored, Transaction } from '../ports/index.ts'

/** How an input names a package. */
export interface PackageRef {
  readonly repo: string
  readonly packageName: string
}

/** The place of a package. */
export interface PackagePlace extends Place {
  readonly package: Stored<'package'>
}

/**
 * The package that an input names, for a caller who holds the key there.
 * Errors: `not_found`, `forbidden`; `precondition_failed` when If-Match names another revision.
 */
export async function openPackage(
  call: Call,
  { repo, packageName }: PackageRef,
  key: PermissionKey,
): Promise<PackagePlace> {
  const repository = await findRepository(call, repo)
  const found = await findPackage(call, repository.id, packageName)
  requirePermission(call, key, { repositoryId: repository.id })
  const record = requireRecord<'package'>(call, found, `package "${packageName}"`)
  return { repository, package: record, line: { repositoryId: repository.id, packageId: record.id } }
}

/** Errors: `invalid_state` unless the package is in one of the states. */
export function requireState({ name, state }: Package, states: readonly PackageState[], what: string): void {
  if (states.includes(state)) return
  throw new QuireError('invalid_state', `The package "${name}" is ${state}: ${what}.`)
}

/** A new record of an open package. */
export function newPackage(
  call: Call,
  {
    repositoryId,
    name,
    description,
    revertOf = null,
  }: Pick<Package, 'repositoryId' | 'name' | 'description'> & {
    revertOf?: string | null
  },
): Package {
  return {
    id: call.environment.ids.next('PACK'),
    repositoryId,
    name,
    description,
    state: 'open',
    revertOf,
    createdDate: call.now,
    createdByUser: call.identity.ref,
    updatedDate: call.now,
    updatedByUser: call.identity.ref,
    mergedDate: null,
    mergedByUser: null,
  }
}

/** Stores a new package with its journal entry. Errors: `name_taken`. */
export async function storeNew(call: Call, tx: Transaction, record: Package): Promise<Stored<'package'>> {
  const stored = await tx.records.put('package', record, 0)
  await tx.journal.record(packageEvent(call, 'PACKAGE_CREATED', { about: stored }))
  return stored
}

/** Stores a changed package. */
export function storeChanged(
  call: Call,
  tx: Transaction,
  { revision, ...record }: Stored<'package'>,
): Promise<Stored<'package'>> {
  const touched: Package = { ...record, updatedDate: call.now, updatedByUser: call.identity.ref }
  return tx.records.put('package', touched, revision)
}

type PackageEvent = Extract<Parameters<typeof recordEvent>[1], `PACKAGE_${string}`>

/** A journal entry about a package. */
export function packageEvent(
  call: Call,
  event: PackageEvent,
  { about, details = {} }: { about: Package; details?: JsonObject },
): JournalEntry {
  const { id, repositoryId, name } = about
  return recordEvent(call, event, { kind: 'package', id, repositoryId, details: { name, ...details } })
}

/** A package as answered. */
export function presentPackage(stored: Stored<'package'>): Presented<Package> {
  return presentRecord<'package'>(stored)
}

/** Runs work on a package inside one transaction. */
export function withPackage<T>(
  call: Call,
  ref: PackageRef,
  {
    key,
    work,
  }: { key: PermissionKey; work: (inside: Call, tx: Transaction, place: PackagePlace) => Promise<T> },
): Promise<T> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    return work(inside, tx, await openPackage(inside, ref, key))
  })
}
