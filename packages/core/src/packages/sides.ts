import type { LineKind } from '../lines/line-kind.ts'
import { isSameSide, type Side } from '../merge/entity.ts'
import type { Base, Entity, EntityReader, JsonObject } from '../ports/index.ts'

/** The three sides of one change, with the heads that they come from. */
export interface ChangeSides {
  readonly rules: LineKind
  /** The package's head. */
  readonly head: Entity
  /** Main's head; null when main does not have it (any more). */
  readonly mainHead: Entity | null
  readonly base: Side | null
  readonly ours: Side
  readonly theirs: Side | null
}

/** The sides of what a package holds of an entity. */
export async function sidesOf(
  entities: EntityReader,
  rules: LineKind,
  { head, mainHead }: { head: Entity; mainHead: Entity | null },
): Promise<ChangeSides> {
  const theirs = mainHead && mainSide(rules, mainHead)
  const base =
    head.base && baseSide(head.base, await baseContent(entities, rules, { head, mainHead, theirs }))
  return { rules, head, mainHead, base, ours: packageSide(rules, head), theirs }
}

/** Whether main changed since the package took the entity in. */
export function hasMainMoved({ base, theirs }: ChangeSides): boolean {
  if (!base) return theirs !== null
  return !theirs || !isSameSide(base, theirs)
}

function mainSide(rules: LineKind, head: Entity): Side {
  const { archived, deletedDate, publishedVersion } = head
  return {
    content: rules.content(head),
    archived,
    deleted: deletedDate !== null,
    published: publishedVersion,
  }
}

function packageSide(rules: LineKind, head: Entity): Side {
  const { archived, deletedDate } = head
  return {
    content: rules.content(head),
    archived,
    deleted: deletedDate !== null,
    published: publishedIn(head),
  }
}

/** What the package wants published: its newest version, what main has, or nothing. An older version of its own is as none. */
function publishedIn({ version, publishedVersion, base }: Entity): Side['published'] {
  if (publishedVersion === null) return null
  return publishedVersion === version ? 'head' : (base?.publishedVersion ?? null)
}

function baseSide({ archived, deleted, publishedVersion }: Base, content: JsonObject): Side {
  return { content, archived, deleted, published: publishedVersion }
}

/** What main said at the base. Where main does not keep it (it was purged), nothing: everything then differs from it. */
async function baseContent(
  entities: EntityReader,
  rules: LineKind,
  { head, mainHead, theirs }: { head: Entity; mainHead: Entity | null; theirs: Side | null },
): Promise<JsonObject> {
  const { kind, id, repositoryId, base } = head
  if (!base || !mainHead || !theirs) return {}
  if (mainHead.version === base.version) return theirs.content
  const version = await entities.version({ repositoryId, packageId: null }, { kind, id }, base.version)
  return version ? rules.content(version) : {}
}
