import { limits, type Contract, type OutputOf, type ParsedOf, QuireError, type Item } from '@quire/contract'
import { isWhole } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { localesOf, viewIn } from '../../engine/locales.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import { headVersion } from '../kinds/heads.ts'
import {
  isBasedOnMain,
  visibleVersions,
  versionOf,
  mainVersion,
  type VisibleVersion,
} from '../kinds/versions.ts'
import { inCurrentForm } from '../locales/form.ts'
import { textsInLocale } from '../locales/item-text.ts'
import { typeOf } from '../types/find.ts'
import { mayReadVersion, type ItemTarget } from './find.ts'
import { changesBetween } from '../merge/changes.ts'
import { comparedJson, contentOf } from './content.ts'
import {
  categoryNames,
  taxonomiesOf,
  isSameState,
  stateOf,
  serializeItem,
  type ItemState,
} from './item-json.ts'
import { withTaxonomies } from './serialize.ts'
import type { Entity, EntityVersion, Branch } from '../../ports/index.ts'

type Versions = Contract['items']['versions']

/**
 * Lists the versions of an item on its branch that the caller may read, newest first. Errors:
 * `not_found`.
 */
export async function listVersions(
  call: Call,
  input: ParsedOf<Versions>,
  { item: head }: ItemTarget,
): Promise<OutputOf<Versions>> {
  const limit = input.limit ?? limits.pageDefault
  const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  if (before !== undefined && typeof before !== 'number') throw badCursor()
  const found: EntityVersion[] = []
  for await (const version of readableVersions(call, head, before)) {
    found.push(version)
    if (found.length > limit) break
  }
  const visible = found.slice(0, limit)
  const last = found.length > limit ? visible.at(-1) : undefined
  const isAll = !last && before === undefined
  return {
    count: isAll ? visible.length : await countOf(call, head),
    items: visible.map((version) => serializeVersion(head, version)),
    ...(last && { nextCursor: encodeCursor(last.version) }),
  }
}

/** The versions that the caller may read, newest first. */
async function* readableVersions(call: Call, head: Entity, before?: number): AsyncGenerator<EntityVersion> {
  for await (const version of visibleVersions(call.store.entities, head, before))
    if (version.version === head.version || mayReadVersion(call, head, version)) yield version
}

/**
 * Counts the versions that the caller may read. Versions are numbered without gaps, so the newest
 * number is the count, unless old versions were deleted (by main too, if some are main's) or the
 * caller may not read all of them.
 */
async function countOf(call: Call, head: Entity): Promise<number> {
  const isAll = isWhole(call.identity.permissions, head.repositoryId) && !isBasedOnMain(head)
  const versionLimit = (await typeOf(call, head)).settings.versionLimit ?? limits.versionsKept
  if (isAll && head.version <= versionLimit) return head.version
  if (isAll) return (await call.store.entities.versionTotals(head, head)).count
  let count = 0
  for await (const _ of readableVersions(call, head)) count += 1
  return count
}

function serializeVersion(head: Entity, { version, name, slug, savedDate, savedBy }: EntityVersion) {
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

type Diff = Contract['items']['diff']

/** Compares two versions field by field. Errors: `not_found`. */
export async function diffItem(
  call: Call,
  input: ParsedOf<Diff>,
  { item: head }: ItemTarget,
): Promise<OutputOf<Diff>> {
  const from = await versionNamed(call, { head, name: input.from })
  const to = await versionNamed(call, { head, name: input.to ?? 'latest' })
  const changes = changesBetween(comparedJson(from), comparedJson(to))
  return { from: from.version, to: to.version, changes }
}

/**
 * Finds the version that `latest`, `latestpublished` or a number names (specification 3.3).
 * Errors: `not_found` if there is no such version or nothing is published.
 */
export async function versionNamed(
  call: Call,
  { head, name }: { head: Entity; name: string },
): Promise<VisibleVersion> {
  if (name === 'latest') return visibleHead(head)
  if (name !== 'latestpublished') return numberedVersion(call, { head, version: Number(name) })
  const { version, isOfMain, chain } = await publishedVersionOf(call, head)
  if (version === null || head.archived)
    throw new QuireError('not_found', 'No version of this item is published.')
  if (!isOfMain) return numberedVersion(call, { head, version, ...(chain && { chain }) })
  return requireReadableVersion(call, {
    head,
    version,
    ...(chain && { chain }),
    found: await mainVersion(call.store.entities, head, version),
  })
}

interface PublishedVersion {
  /** Null if none is. */
  readonly version: number | null
  /** Whether a package has the number from main. */
  readonly isOfMain: boolean
  /** The locale and its fallbacks; absent if the call reads none. */
  readonly chain?: readonly string[]
}

/** The number of the version that is public in the locale that the call reads. */
async function publishedVersionOf(call: Call, head: Entity): Promise<PublishedVersion> {
  const { publishedVersion, inheritsPublished, publications } = head
  const locales = await localesOf(call, head.repositoryId)
  const view = locales && viewIn(call, locales)
  const ofAll = { version: publishedVersion, isOfMain: inheritsPublished }
  if (!view) return ofAll
  const { code, chain } = view
  if (!publications) return { ...ofAll, chain }
  const { version = null, inherited = inheritsPublished } = publications[code] ?? {}
  return { version, isOfMain: inherited, chain }
}

/**
 * Finds a version by number. `chain`: the locales in which it is
 * shown. Errors: `not_found`, also if the
 * caller may read the head but not this version.
 */
export async function numberedVersion(
  call: Call,
  { head, version, chain }: { head: Entity; version: number; chain?: readonly string[] },
): Promise<VisibleVersion> {
  if (version === head.version) return visibleHead(head)
  return requireReadableVersion(call, {
    head,
    version,
    ...(chain && { chain }),
    found: await versionOf(call.store.entities, head, version),
  })
}

interface ReadableVersion {
  readonly head: Entity
  readonly version: number
  readonly chain?: readonly string[]
  readonly found: VisibleVersion | null
}

async function requireReadableVersion(
  call: Call,
  { head, version, chain, found }: ReadableVersion,
): Promise<VisibleVersion> {
  if (found && mayReadVersion(call, head, found)) return inCurrentForm(await typeOf(call, head), found, chain)
  throw new QuireError('not_found', `Version ${version} of this item does not exist, or you may not read it.`)
}

function visibleHead(head: Entity): VisibleVersion {
  return { ...headVersion(head), packageId: head.packageId }
}

/**
 * What is needed, besides the versions, to serialize an item later exactly as it was when it was
 * written.
 */
export interface WrittenState extends ItemState {
  /** The taxonomies with the names of that time. */
  readonly taxonomies: Item['taxonomies']
}

/**
 * The written state of a head. Null if its version may be deleted first: in a package, or if the
 * type has a version limit.
 */
export async function writtenStateOf(call: Call, branch: Branch, head: Entity): Promise<WrittenState | null> {
  if (branch.packageId !== null || (await typeOf(call, head)).settings.versionLimit !== null) return null
  const { categories } = contentOf(head)
  const taxonomies =
    categories.length > 0 ? taxonomiesOf(categories, await categoryNames(call, branch, categories)) : []
  return { ...stateOf(head), taxonomies }
}

/**
 * Serializes an item of main as it was when it was written. Null if that version no longer exists.
 */
export async function textAsWritten(
  call: Call,
  { repositoryId, id }: { readonly repositoryId: string; readonly id: string },
  { taxonomies, ...state }: WrittenState,
): Promise<string | null> {
  const branch = { repositoryId, packageId: null }
  const head = await call.store.entities.get(branch, 'item', id)
  if (!head) return null
  const finished = async (json: string) =>
    (await textsInLocale(call, repositoryId, [{ text: withTaxonomies(json, taxonomies) }]))[0] ?? null
  if (isSameState(stateOf(head), state)) return finished(head.json)
  const page = { before: state.latestVersion + 1, limit: limits.versionHistory }
  const versions = await call.store.entities.versions(branch, { kind: 'item', id }, page)
  const [visible] = versions
  if (visible?.version !== state.latestVersion) return null
  const context = { packageName: null, versionHistory: versions.map(listed) }
  const written = inCurrentForm(await typeOf(call, head), visible)
  return finished(JSON.stringify(serializeItem(head, written, { state, context })))
}

function listed({ version, savedDate, savedBy }: EntityVersion): Item['versionHistory'][number] {
  return { version, updatedDate: savedDate, updatedByUser: savedBy }
}
