import type { ExportedHistory } from '@quire/contract'
import { isSameSide, type Side } from '../../content/merge/entity.ts'
import { headVersion } from '../../content/kinds/heads.ts'
import { momentVisible, versionOf, visibleVersions } from '../../content/kinds/versions.ts'
import { withLatestStamps } from '../../content/translations/merge-stamps.ts'
import type { Call } from '../../engine/call.ts'
import type { Entity, EntityVersion, JsonObject } from '../../ports/index.ts'
import type { ChangeSides } from '../packages/sides.ts'
import { contentDigest, isSameContent, movedContent, withoutAbsent, withoutStorage } from './content.ts'
import type { Incoming } from './incoming.ts'

/** The three sides of an entity of a file, with the version here that both sides have had. */
export interface IncomingSides extends ChangeSides {
  readonly incoming: Incoming
  /** The base; null if main has never had a content that the file knows. */
  readonly ancestor: EntityVersion | null
}

/**
 * The sides of an entity of a file: ours is the file's, theirs is main's, and the base is the newest
 * content of the file's side that main has had, too.
 */
export async function sidesOf(
  call: Call,
  incoming: Incoming,
  { mainHead, history }: { mainHead: Entity | null; history: ExportedHistory | undefined },
): Promise<IncomingSides> {
  const { rules, head, line, content } = incoming
  const theirs = mainHead && sideOf(rules.content(mainHead), mainHead)
  const found = mainHead && (await baseOf(call, incoming, { mainHead, history }))
  const ancestor = found?.ancestor ?? null
  const base = found?.base ?? null
  const published = await publishedIn(call, incoming, { base, mainHead })
  const ours: Side = {
    content,
    archived: line.archived,
    deleted: line.deleted ?? false,
    published,
    ...publishedLocales(incoming, published, mainHead),
  }
  const isBaseLost = mainHead !== null && !base
  return {
    rules,
    head,
    mainHead,
    isBaseLost,
    ...withLatestStamps({ base, ours, theirs }),
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

interface Known {
  readonly mainHead: Entity
  readonly history: ExportedHistory | undefined
}

/**
 * The base: what main had when the file's side last changed its own, if that is the same content.
 * Otherwise the newest content of the file's side that main has had, with the state in which it was
 * saved.
 */
async function baseOf(
  call: Call,
  incoming: Incoming,
  { mainHead, history }: Known,
): Promise<{ ancestor: EntityVersion; base: Side } | null> {
  const { rules, content, head } = incoming
  const { entities } = call.store
  const then = await momentVisible(entities, mainHead, history?.stateDate ?? head.updatedDate)
  const version = then && (await versionAt(call, mainHead, then.version))
  const isShared = version && isSameContent(rules.content(version), content)
  const ancestor = isShared ? version : await ancestorOf(call, incoming, { mainHead, history })
  if (!ancestor) return null
  const moment =
    then?.version === ancestor.version ? then : await momentVisible(entities, mainHead, ancestor.savedDate)
  const { archived = false, publishedVersion: published = null } = moment ?? {}
  return { ancestor, base: { content: rules.content(ancestor), archived, deleted: false, published } }
}

async function versionAt({ store }: Call, head: Entity, version: number): Promise<EntityVersion | null> {
  return version === head.version ? headVersion(head) : versionOf(store.entities, head, version)
}

/**
 * The version on main with the newest content of the file's side that main has had. A content that
 * returned later is the newest version with it.
 */
async function ancestorOf(
  call: Call,
  { rules, content }: Incoming,
  { mainHead, history }: Known,
): Promise<EntityVersion | null> {
  if (isSameContent(rules.content(mainHead), content)) return headVersion(mainHead)
  const own = await contentDigest(withoutStorage(content))
  const digests = new Set(history?.digests)
  const earlier = new Map<string, EntityVersion>()
  for await (const version of visibleVersions(call.store.entities, mainHead)) {
    const here = await contentDigest(movedContent(rules, version))
    if (here === own) return version
    if (digests.has(here) && !earlier.has(here)) earlier.set(here, version)
  }
  const newest = [...digests].find((digest) => earlier.has(digest))
  return newest === undefined ? null : (earlier.get(newest) ?? null)
}

/**
 * What the file publishes: its content (`head`), a version of main, or nothing. If main published the
 * same content at the base, it is that version. An older content under a newer draft counts as no
 * change to what is published.
 */
async function publishedIn(
  call: Call,
  { rules, line, content }: Incoming,
  { base, mainHead }: { base: Side | null; mainHead: Entity | null },
): Promise<Side['published']> {
  if (line.published === null) return null
  const published = base?.published ?? null
  if (line.published !== 'latest') return published
  if (!mainHead || typeof published !== 'number' || !base || !isSameContent(content, base.content))
    return 'head'
  const version = await versionAt(call, mainHead, published)
  if (!version) return 'head'
  const was = rules.content(version)
  const exported = await withoutAbsent(call, mainHead, was)
  return [was, exported].some((one) => isSameContent(one, content)) ? published : 'head'
}

/** The locales that the file names for its content, where it decides: of a package, and of what is new. */
function publishedLocales(
  { line, isOfPackage }: Incoming,
  published: Side['published'],
  mainHead: Entity | null,
): Pick<Side, 'publishedIn'> {
  const { publishedLocales: named } = line
  return named && published === 'head' && (isOfPackage || mainHead === null)
    ? { publishedIn: named.toSorted() }
    : {}
}

/** Whether a file brings something new to the base. */
export function isChanged({ base, ours }: IncomingSides): boolean {
  return base === null ? !ours.deleted : !isSameSide(base, ours)
}
