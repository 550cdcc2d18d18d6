import type { EntityMoment, EntityRef, EntityVersion, EntityWrite, Branch } from '../ports/index.ts'
import { entityScope, pastScope, visibleHead } from './branches.ts'
import { compareText } from '../adapters/filters.ts'
import type { State } from './state.ts'
import { chargeVersion, creditVersion } from './usage.ts'

/** One version on the branch that holds the head; null when there is none. */
export function findVersion(
  state: State,
  { branch, ref }: { branch: Branch; ref: EntityRef },
  version: number,
): EntityVersion | null {
  const scope = holderScope(state, branch, ref)
  return scope === null ? null : (state.versions.get(scope, String(version)) ?? null)
}

/** All versions on the branch that holds the head, newest first. */
export function versionsOf(state: State, branch: Branch, ref: EntityRef): readonly EntityVersion[] {
  const scope = holderScope(state, branch, ref)
  const versions = scope === null ? [] : [...state.versions.values(scope)]
  return versions.toSorted((a, b) => b.version - a.version)
}

/** The last moment up to `time` on the branch that holds the head; null when there is none. */
export function findMoment(
  state: State,
  { branch, ref }: { branch: Branch; ref: EntityRef },
  time: number,
): EntityMoment | null {
  const scope = holderScope(state, branch, ref)
  const moments = scope === null ? [] : [...state.moments.values(scope)]
  const until = moments.filter(({ from }) => from <= time)
  return until.toSorted((a, b) => a.from - b.from).at(-1) ?? null
}

/** Stores a version if its number is new, and the moment of the state. */
export function retainPast(state: State, write: EntityWrite): void {
  const scope = pastScope(write, write)
  const number = String(write.version)
  if (!state.versions.get(scope, number)) {
    const version = versionOf(write)
    state.versions.set(scope, number, version)
    chargeVersion(state, write, version)
    if (write.blobs && write.blobs.length > 0) state.blobs.set('', `${scope} ${number}`, write.blobs)
  }
  const written = momentOf(write)
  const last = [...state.moments.values(scope)].reduce(
    (latest, { from }) => Math.max(latest, from),
    written.from,
  )
  const moment = { ...written, from: last }
  state.moments.set(scope, String(moment.from), moment)
}

/**
 * Deletes the versions below `before` on exactly this branch, except `retain` and the bases of
 * packages; in a package, except the first.
 */
export function forgetVersions(
  state: State,
  { branch, ref }: { branch: Branch; ref: EntityRef },
  { before, retain }: { before: number; retain: number | null },
): void {
  const scope = pastScope(branch, ref)
  const versions = [...state.versions.values(scope)]
  const held = branch.packageId === null ? basesOf(state, ref) : [firstOf(versions)]
  const stored = new Set([retain, ...held])
  const old = versions.filter(({ version }) => version < before && !stored.has(version))
  for (const version of old) {
    creditVersion(state, branch, version)
    forgetVersion(state, scope, version.version)
  }
}

function firstOf(versions: readonly EntityVersion[]): number {
  return Math.min(...versions.map(({ version }) => version))
}

function forgetVersion(state: State, scope: string, version: number): void {
  state.versions.delete(scope, String(version))
  state.blobs.delete('', `${scope} ${version}`)
}

/** Deletes all versions and moments on exactly this branch. */
export function forgetPast(state: State, branch: Branch, ref: EntityRef): void {
  const scope = pastScope(branch, ref)
  for (const version of state.versions.values(scope)) {
    creditVersion(state, branch, version)
    state.blobs.delete('', `${scope} ${version.version}`)
  }
  state.versions.clear(scope)
  state.moments.clear(scope)
}

/** The blobs that any version needs, each once, in order. */
export function neededBlobs(
  state: State,
  { after = '', limit }: { after?: string; limit: number },
): string[] {
  const hashes = new Set([...state.blobs.values('')].flat())
  return [...hashes]
    .filter((hash) => hash > after)
    .toSorted(compareText)
    .slice(0, limit)
}

/** The versions of main that packages depend on. */
function basesOf(state: State, ref: EntityRef): (number | null)[] {
  return [...state.bases.values(entityScope(ref))].flat()
}

function holderScope(state: State, branch: Branch, ref: EntityRef): string | null {
  const head = visibleHead(state, branch, ref)
  return head && pastScope(head.entity, ref)
}

function versionOf(write: EntityWrite): EntityVersion {
  const { kind, id, version, type, name, slug, parentId, roles, body } = write
  const saved = { savedDate: write.updatedDate, savedBy: write.updatedBy }
  return { kind, id, version, type, name, slug, parentId, roles, body, ...saved }
}

function momentOf(write: EntityWrite): EntityMoment {
  const { version, publishedVersion, publishedDate, archived, deletedDate } = write
  const from = write.writtenDate ?? write.updatedDate
  return { from, version, publishedVersion, publishedDate, archived, deleted: deletedDate !== null }
}
