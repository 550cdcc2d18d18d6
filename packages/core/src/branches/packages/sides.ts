import { withoutStamps } from '../../content/items/content.ts'
import { localesToPublish } from '../../content/items/publications.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { mainOf, type Scope } from '../../engine/scope.ts'
import { isSameSide, type Side } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import { withLatestStamps } from '../../content/translations/merge-stamps.ts'
import { branchRulesOf } from './kinds.ts'
import {
  entityKinds,
  type Base,
  type Entity,
  type EntityReader,
  type EntityRef,
  type JsonObject,
  type OwnHead,
  type Branch,
} from '../../ports/index.ts'

/** The three sides of one change, with the heads that they come from. */
export interface ChangeSides {
  readonly rules: BranchKind
  /** The package's head. */
  readonly head: Entity
  /** Main's head; null when it is not on main, or no longer. */
  readonly mainHead: Entity | null
  readonly base: Side | null
  /** Main no longer has the base version, so the content at the base is unknown. */
  readonly isBaseLost: boolean
  readonly ours: Side
  readonly theirs: Side | null
}

/**
 * The sides of a package's changes to some entities, one by one. Entities without a head are
 * skipped.
 */
export async function* sidesOn(
  entities: EntityReader,
  scope: Scope,
  refs: readonly EntityRef[],
): AsyncGenerator<ChangeSides> {
  const heads = await headsOf(entities, scope.branch, refs)
  const mainHeads = await headsOf(entities, mainOf(scope).branch, refs)
  for (const ref of refs) {
    const head = heads.get(refKey(ref))
    const mainHead = mainHeads.get(refKey(ref)) ?? null
    if (head) yield await sidesOf(entities, branchRulesOf(ref.kind), { head, mainHead })
  }
}

/** The sides of a package's changes to some entities, as a list. */
export async function sidesOfAll(
  entities: EntityReader,
  scope: Scope,
  refs: readonly EntityRef[],
): Promise<readonly ChangeSides[]> {
  const all: ChangeSides[] = []
  for await (const sides of sidesOn(entities, scope, refs)) all.push(sides)
  return all
}

async function sidesOf(
  entities: EntityReader,
  rules: BranchKind,
  { head, mainHead }: { head: Entity; mainHead: Entity | null },
): Promise<ChangeSides> {
  const theirs = mainHead && mainSide(rules, mainHead)
  const content = head.base && (await baseContent(entities, rules, { head, mainHead, theirs }))
  const base = head.base && baseSide(head.base, content ?? {})
  const isBaseLost = head.base !== null && content === null
  const ours = packageSide(rules, head, base)
  return { rules, head, mainHead, isBaseLost, ...withLatestStamps({ base, ours, theirs }) }
}

/** Whether main has changed an entity since the package's base. */
export function hasMainMoved({ base, theirs }: ChangeSides): boolean {
  if (!base) return theirs !== null
  return !theirs || !isSameSide(base, theirs)
}

function mainSide(rules: BranchKind, head: Entity): Side {
  const { archived, deletedDate, publishedVersion } = head
  return {
    content: rules.content(head),
    archived,
    deleted: deletedDate !== null,
    published: publishedVersion,
  }
}

function packageSide(rules: BranchKind, head: Entity, base: Side | null): Side {
  const { archived, deletedDate } = head
  const content = rules.content(head)
  const state = { content, archived, deleted: deletedDate !== null }
  const locales = localesToPublish(head)
  if (locales.length > 0) return { ...state, published: 'head', publishedIn: locales }
  return { ...state, published: publishedIn(head, content, base) }
}

/**
 * What the package publishes: its newest version (`head`), a version of main, or nothing. If main's
 * newest version was published at the base and the package has the same content, it is main's
 * version. An older version of the package under a newer draft counts as no change to what is
 * published.
 */
function publishedIn(
  { version, publishedVersion, inheritsPublished, base: baseState }: Entity,
  content: JsonObject,
  base: Side | null,
): Side['published'] {
  if (publishedVersion === null) return null
  if (inheritsPublished) return publishedVersion
  if (publishedVersion < version) return base?.published ?? null
  const wasHead = baseState !== null && baseState.publishedVersion === baseState.version
  // Confirming a translation makes no version.
  const isUnchanged = base !== null && isSame(withoutStamps(content), withoutStamps(base.content))
  return wasHead && isUnchanged ? baseState.version : 'head'
}

function baseSide({ archived, deleted, publishedVersion }: Base, content: JsonObject): Side {
  return { content, archived, deleted, published: publishedVersion }
}

/**
 * Main's content at the base; null when the entity was purged from main or the version is no longer
 * stored.
 */
async function baseContent(
  entities: EntityReader,
  rules: BranchKind,
  { head, mainHead, theirs }: { head: Entity; mainHead: Entity | null; theirs: Side | null },
): Promise<JsonObject | null> {
  const { kind, id, repositoryId, base } = head
  if (!base || !mainHead || !theirs) return null
  if (mainHead.version === base.version) return theirs.content
  const version = await entities.version({ repositoryId, packageId: null }, { kind, id }, base.version)
  return version && rules.content(version)
}

// Heads whose bodies are in memory at the same time.
const pageSize = 500

/** All heads that a package's branch holds, page by page, sorted by kind and id. */
export async function* ownPages(entities: EntityReader, branch: Branch): AsyncGenerator<readonly OwnHead[]> {
  let after: EntityRef | undefined
  for (;;) {
    const page = await entities.ownHeads(branch, { limit: pageSize, ...(after && { after }) })
    if (page.length > 0) yield page
    after = page.at(-1)
    if (page.length < pageSize) return
  }
}

/** Complete heads of some entities as a branch shows them, by `refKey`. Missing ones are absent. */
export async function headsOf(
  entities: EntityReader,
  branch: Branch,
  refs: readonly EntityRef[],
): Promise<ReadonlyMap<string, Entity>> {
  const found = new Map<string, Entity>()
  for (const [kind, group] of Map.groupBy(refs, (ref) => ref.kind)) {
    const ids = group.map(({ id }) => id)
    for (const head of await entities.getMany(branch, kind, ids)) found.set(refKey(head), head)
  }
  return found
}

/** A map key for an entity: its kind and id. */
export function refKey({ kind, id }: EntityRef): string {
  return `${kind} ${id}`
}

/** The head that the branch itself holds for an id, whatever its kind; null when it holds none. */
export async function ownHead(entities: EntityReader, branch: Branch, id: string): Promise<Entity | null> {
  for (const kind of entityKinds) {
    const head = await entities.get(branch, kind, id)
    if (head && head.packageId === branch.packageId) return head
  }
  return null
}
