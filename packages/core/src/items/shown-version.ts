import { QuireError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { headVersion } from '../lines/heads.ts'
import type { Place } from '../lines/lines.ts'
import type { Entity, EntityVersion } from '../ports/index.ts'

/**
 * The version that `latest`, `latestpublished` or a number names (specification 3.3).
 * Errors: `not_found` when there is no such version, or nothing is published.
 */
export async function versionNamed(
  call: Call,
  { place, head, name }: { place: Place; head: Entity; name: string },
): Promise<EntityVersion> {
  const wanted =
    name === 'latest' ? head.version : name === 'latestpublished' ? head.publishedVersion : Number(name)
  if (wanted === null || (name === 'latestpublished' && head.archived))
    throw new QuireError('not_found', 'No version of this item is published.')
  return wanted < 0
    ? publishedOnMain(call, head, wanted)
    : numberedVersion(call, { place, head, version: wanted })
}

/** In a package: the version that is published on main alone, under its negative number. Errors: `not_found`. */
async function publishedOnMain(
  call: Call,
  { id, repositoryId }: Entity,
  version: number,
): Promise<EntityVersion> {
  const main = { repositoryId, packageId: null }
  const found = await call.store.entities.version(main, { kind: 'item', id }, -version)
  if (!found) throw new QuireError('not_found', `Main no longer keeps version ${-version} of this item.`)
  return { ...found, version }
}

/** One version by number. Errors: `not_found`. */
export async function numberedVersion(
  call: Call,
  { place, head, version }: { place: Place; head: Entity; version: number },
): Promise<EntityVersion> {
  if (version === head.version) return headVersion(head)
  const found = await call.store.entities.version(place.line, { kind: 'item', id: head.id }, version)
  if (!found) throw new QuireError('not_found', `There is no version ${version} of this item.`)
  return found
}
