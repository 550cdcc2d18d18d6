import type { PublicVersions } from '../../content/items/publications.ts'
import {
  QuireError,
  type KeyPermission,
  type Package,
  type PackageState,
  type PermissionKey,
} from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { recordEvent } from '../../engine/journal.ts'
import { plainRecord, recordTag, requireRecord } from '../../engine/record-rules.ts'
import { findPackageBy, findRepository, type Scope } from '../../engine/scope.ts'
import type { JournalEntry, JsonObject, Stored, Base, EntityKind } from '../../ports/index.ts'

/** The input members that name a package. */
interface PackageRef {
  readonly repo: string
  readonly packageName: string
}

/** The scope of a package's branch, with its record. */
export interface PackageScope extends Scope {
  readonly package: Stored<'package'>
}

/**
 * Finds the package that an input names, and checks that the caller has the permission key for it, or
 * one of several.
 * Errors: `not_found`, `forbidden`; `precondition_failed` when If-Match names another revision.
 */
export async function openPackage(
  call: Call,
  { repo, packageName }: PackageRef,
  key: KeyPermission['key'],
): Promise<PackageScope> {
  const repository = await findRepository(call, repo)
  const found = await findPackageBy(call, { repositoryId: repository.id, name: packageName, key })
  const record = requireRecord<'package'>(call, found, `package "${packageName}"`)
  return { repository, package: record, branch: { repositoryId: repository.id, packageId: record.id } }
}

/**
 * Errors: `invalid_state` unless the package is in one of the states. The message ends in `what`.
 */
export function requireState(
  { name, state }: PackageRecord,
  states: readonly PackageState[],
  what: string,
): void {
  if (states.includes(state)) return
  throw new QuireError('invalid_state', `The package "${name}" is ${state}: ${what}.`)
}

/** A package as stored. Records that are older than a member have none, which means null. */
export interface PackageRecord extends Omit<Package, 'review' | 'agent'> {
  readonly review?: Package['review']
  readonly agent?: Package['agent']
}

/** A package as a value in responses. */
export function packageJson(stored: Stored<'package'>): Package {
  const { review = null, agent = null, ...record } = plainRecord(stored)
  return { ...record, review, agent }
}

/** The record of a new open package, not stored yet. */
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
): PackageRecord {
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
    review: null,
    agent: agentOf(call),
  }
}

/** The caller, if it is an agent. */
function agentOf({ identity: { id, name, isAgent }, program }: Call): Package['agent'] {
  if (!isAgent) return null
  return { id, name, ...(program !== undefined && { program }) }
}

/** Stores a new package with its journal entry. Errors: `name_taken`. */
export async function storeNew(call: WriteCall, record: PackageRecord): Promise<Stored<'package'>> {
  const stored = await call.store.records.put('package', record, 0)
  await call.record(packageEvent(call, 'PACKAGE_CREATED', { about: stored }))
  return stored
}

/** Stores a changed package with the time and the caller of the change. */
export function storeChanged(
  call: WriteCall,
  { revision, ...record }: Stored<'package'>,
): Promise<Stored<'package'>> {
  const touched: PackageRecord = { ...record, updatedDate: call.now, updatedByUser: call.identity.ref }
  return call.store.records.put('package', touched, revision)
}

type PackageEvent = Extract<Parameters<typeof recordEvent>[1], `PACKAGE_${string}`>

/** A journal entry about a package. */
export function packageEvent(
  call: Call,
  event: PackageEvent,
  { about, details = {} }: { about: PackageRecord; details?: JsonObject },
): JournalEntry {
  const { id, repositoryId, name } = about
  return recordEvent(call, event, { kind: 'package', id, repositoryId, details: { name, ...details } })
}

/** A package as serialized in responses. */
export function serializePackage(stored: Stored<'package'>): Serialized<Package> {
  return new Serialized(JSON.stringify(packageJson(stored)), recordTag(stored))
}

/**
 * Opens a package and runs `work` on it, in one transaction. Errors: those of `openPackage` and of
 * `work`.
 */
export function withPackage<T>(
  call: Call,
  ref: PackageRef,
  { key, work }: { key: PermissionKey; work: (call: WriteCall, scope: PackageScope) => Promise<T> },
): Promise<T> {
  return call.write(async (call) => work(call, await openPackage(call, ref, key)))
}

/** What a merge did to main, stored so that it can be reverted. The id is the package's id. */
interface MergeRecord {
  readonly id: string
  /**
   * `MergedChange[]` as JSON. Stores keep records in memory, where one string is the cheapest form
   * of thousands of changes.
   */
  readonly changes: string
}

/** What a merge did to one entity. */
export interface MergedChange {
  readonly kind: EntityKind
  readonly id: string
  /** Main's head before; null when the merge created it. */
  readonly before: Base | null
  readonly after: Base
  /** The versions that are public in locales in which the merge changed that, if not in all alike. */
  readonly locales?: Readonly<Record<string, PublicVersions>>
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    package: PackageRecord
    merge: MergeRecord
  }
}
