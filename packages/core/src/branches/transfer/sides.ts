import { isSameSide, type Side } from '../../content/merge/entity.ts'
import { headVersion } from '../../content/kinds/heads.ts'
import { momentVisible, visibleVersions } from '../../content/kinds/versions.ts'
import type { Call } from '../../engine/call.ts'
import { isSame } from '../../engine/same.ts'
import type { Entity, EntityVersion, JsonObject } from '../../ports/index.ts'
import type { ChangeSides } from '../packages/sides.ts'
import { contentDigest, movedContent, withoutStorage } from './content.ts'
import type { Incoming } from './incoming.ts'

/** The three sides of an entity of a file, with the version here that both sides have had. */
export interface IncomingSides extends ChangeSides {
  readonly incoming: Incoming
  /** The base; null if main has never had a content that the file knows. */
  readonly ancestor: EntityVersion | null
}

/**
 * The sides of an entity of a file: ours is the file's, theirs is main's, and the base is the newest
 * content on main that the other side has had, too.
 */
export async function sidesOf(
  call: Call,
  incoming: Incoming,
  { mainHead, digests }: { mainHead: Entity | null; digests: readonly string[] },
): Promise<IncomingSides> {
  const { rules, head, line, content } = incoming
  const theirs = mainHead && sideOf(rules.content(mainHead), mainHead)
  const ancestor = mainHead && (await ancestorOf(call, incoming, { mainHead, digests }))
  const base = mainHead && ancestor ? await baseSide(call, incoming, { mainHead, ancestor }) : null
  const published = publishedIn(incoming, { base, ancestor })
  const ours: Side = { content, archived: line.archived, deleted: false, published }
  return {
    rules,
    head,
    mainHead,
    base,
    isBaseLost: mainHead !== null && !base,
    ours,
    theirs,
    incoming,
    ancestor,
  }
}

function sideOf(
  content: JsonObject,
  state: Pick<Entity, 'archived' | 'deletedDate' | 'publishedVersion'>,
): Side {
  const { archived, deletedDate, publishedVersion } = state
  return { content, archived, deleted: deletedDate !== null, published: publishedVersion }
}

/** The newest version on main whose content the file has, now or earlier. */
async function ancestorOf(
  call: Call,
  { rules, content }: Incoming,
  { mainHead, digests }: { mainHead: Entity; digests: readonly string[] },
): Promise<EntityVersion | null> {
  if (isSame(rules.content(mainHead), content)) return headVersion(mainHead)
  const known = new Set([...digests, await contentDigest(withoutStorage(content))])
  for await (const version of visibleVersions(call.store.entities, mainHead))
    if (known.has(await contentDigest(movedContent(rules, version)))) return version
  return null
}

/**
 * The base with the state that it had on main when the file's side was last saved or published, if
 * that is a time of this version; otherwise with the state in which the version was saved.
 */
async function baseSide(
  call: Call,
  { rules, head }: Incoming,
  { mainHead, ancestor }: { mainHead: Entity; ancestor: EntityVersion },
): Promise<Side> {
  const { entities } = call.store
  const last = Math.max(head.updatedDate, head.publishedDate ?? 0)
  const late = await momentVisible(entities, mainHead, last)
  const moment =
    late?.version === ancestor.version ? late : await momentVisible(entities, mainHead, ancestor.savedDate)
  const { archived = false, publishedVersion = null } = moment ?? {}
  return { content: rules.content(ancestor), archived, deleted: false, published: publishedVersion }
}

/**
 * What the file publishes: its content (`head`), a version of main, or nothing. If the base was
 * published and has the same content, it is that version. An older content under a newer draft counts
 * as no change to what is published.
 */
function publishedIn(
  { line, content }: Incoming,
  { base, ancestor }: { base: Side | null; ancestor: EntityVersion | null },
): Side['published'] {
  if (line.published === null) return null
  if (line.published !== 'latest') return base?.published ?? null
  const isBase = base !== null && base.published === ancestor?.version && isSame(content, base.content)
  return isBase ? base.published : 'head'
}

/** Whether a file brings something new to the base. */
export function isChanged({ base, ours }: IncomingSides): boolean {
  return base === null || !isSameSide(base, ours)
}
