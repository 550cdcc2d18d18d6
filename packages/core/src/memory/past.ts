import type { EntityMoment, EntityRef, EntityVersion, EntityWrite, Line } from '../ports/index.ts'
import { compareText } from './compare.ts'
import { entityScope, pastScope, shownHead } from './lines.ts'
import type { State } from './state.ts'

/** One version on the line that holds the head; null when there is none. */
export function findVersion(
  state: State,
  { line, ref }: { line: Line; ref: EntityRef },
  version: number,
): EntityVersion | null {
  const scope = holderScope(state, line, ref)
  return scope === null ? null : (state.versions.get(scope, String(version)) ?? null)
}

/** All versions on the line that holds the head, newest first. */
export function versionsOf(state: State, line: Line, ref: EntityRef): readonly EntityVersion[] {
  const scope = holderScope(state, line, ref)
  const versions = scope === null ? [] : [...state.versions.values(scope)]
  return versions.toSorted((a, b) => b.version - a.version)
}

/** The last moment up to `time` on the line that holds the head; null when there is none. */
export function findMoment(
  state: State,
  { line, ref }: { line: Line; ref: EntityRef },
  time: number,
): EntityMoment | null {
  const scope = holderScope(state, line, ref)
  const moments = scope === null ? [] : [...state.moments.values(scope)]
  const until = moments.filter(({ from }) => from <= time)
  return until.toSorted((a, b) => a.from - b.from).at(-1) ?? null
}

/** Keeps what a head that is put adds to the past: its version when the number is new, and its marks. */
export function keepPast(state: State, write: EntityWrite): void {
  const scope = pastScope(write, write)
  const number = String(write.version)
  if (!state.versions.get(scope, number)) {
    state.versions.set(scope, number, versionOf(write))
    if (write.blobs && write.blobs.length > 0) state.blobs.set('', `${scope} ${number}`, write.blobs)
  }
  const moment = momentOf(write)
  state.moments.set(scope, String(moment.from), moment)
}

/** Forgets versions older than `before` on exactly this line, but for `keep` and the bases of packages. */
export function forgetVersions(
  state: State,
  { line, ref }: { line: Line; ref: EntityRef },
  { before, keep }: { before: number; keep: number | null },
): void {
  const scope = pastScope(line, ref)
  const kept = new Set([keep, ...(line.packageId === null ? basesOf(state, ref) : [])])
  const old = [...state.versions.values(scope)].filter(
    ({ version }) => version < before && !kept.has(version),
  )
  for (const { version } of old) forgetVersion(state, scope, version)
}

function forgetVersion(state: State, scope: string, version: number): void {
  state.versions.delete(scope, String(version))
  state.blobs.delete('', `${scope} ${version}`)
}

/** Forgets all versions and moments on exactly this line. */
export function forgetPast(state: State, line: Line, ref: EntityRef): void {
  const scope = pastScope(line, ref)
  for (const { version } of state.versions.values(scope)) state.blobs.delete('', `${scope} ${version}`)
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

/** The versions of main that packages rest on. */
function basesOf(state: State, ref: EntityRef): (number | null)[] {
  return [...state.bases.values(entityScope(ref))].flat()
}

function holderScope(state: State, line: Line, ref: EntityRef): string | null {
  const head = shownHead(state, line, ref)
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
