import { limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { badCursor, decodeCursor, encodeCursor } from '../call/paging.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, EntityVersion } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { findItem } from './find.ts'

type Versions = Contract['items']['versions']

/** The versions of an item on its line, newest first. Errors: `not_found`. */
export async function listVersions(call: Call, input: ParsedOf<Versions>): Promise<OutputOf<Versions>> {
  const place = await findPlace(call, input)
  const head = await findItem(call, place, input.id)
  const limit = input.limit ?? limits.pageDefault
  const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  if (before !== undefined && typeof before !== 'number') throw badCursor()
  const page = { limit: limit + 1, ...(before !== undefined && { before }) }
  const found = await call.store.entities.versions(place.line, { kind: 'item', id: head.id }, page)
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    count: await countOf(call, { place, head }),
    items: shown.map((version) => showVersion(head, version)),
    ...(last && { nextCursor: encodeCursor(last.version) }),
  }
}

/** Versions are numbered without gap, so the newest number is how many there are, unless the type forgets old ones. */
async function countOf(call: Call, { place, head }: { place: Place; head: Entity }): Promise<number> {
  const { versionLimit } = (await typeOf(call, head)).settings
  if (versionLimit === null || head.version <= versionLimit) return head.version
  const kept = await call.store.entities.versions(place.line, head, { limit: limits.pageMost })
  return kept.length
}

function showVersion(head: Entity, { version, name, slug, savedDate, savedBy }: EntityVersion) {
  return {
    version,
    name,
    slug: slug ?? '',
    updatedDate: savedDate,
    updatedByUser: savedBy,
    isLatest: version === head.version,
    isLatestPublished: version === head.publishedVersion,
  }
}
