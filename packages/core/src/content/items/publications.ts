import { QuireError, type ContentType, type Locales, type Repository } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { inheritedPublications } from '../kinds/heads.ts'
import { definitionOf } from '../locales/fields.ts'
import {
  publishedBranchId,
  type Entity,
  type LocalePublication,
  type Publications,
  type PublishedBranch,
} from '../../ports/index.ts'

/** A repository, as far as its published branches depend on it. */
interface RepositoryLocales {
  readonly id: string
  readonly settings: Pick<Repository['settings'], 'locales'>
}

/**
 * The branch that shows published content: main, overlaid with the published version of each item
 * that has a newer draft. So filters, sorts and text search see only published content, and items
 * without a newer draft cost nothing. In a repository with locales each has a branch of its own, as
 * an item can be public in some of them, in different versions. Default: the default locale.
 */
export function publishedBranch(
  { id, settings: { locales } }: RepositoryLocales,
  locale: string | undefined = locales?.default,
): PublishedBranch {
  const packageId =
    locales && locale !== undefined ? (`${publishedBranchId}:${locale}` as const) : publishedBranchId
  return { repositoryId: id, packageId }
}

/** All published branches of a repository. */
export function publishedBranches(repository: RepositoryLocales): PublishedBranch[] {
  const { locales } = repository.settings
  return locales
    ? locales.list.map(({ code }) => publishedBranch(repository, code))
    : [publishedBranch(repository)]
}

/** The locales that a call names. Default: all. */
interface NamedLocales {
  readonly type: ContentType
  readonly locales: readonly string[] | undefined
}

/**
 * The codes of the locales that a call publishes or unpublishes; null in a repository without
 * locales. Errors: `invalid` for unknown locales.
 */
export function namedLocales({ type, locales: named }: NamedLocales): readonly string[] | null {
  const { locales } = definitionOf(type) ?? {}
  const path = 'locales'
  if (named && !locales) throw invalid([{ path, message: 'the repository has no locales' }])
  if (!locales) return null
  const codes = locales.list.map(({ code }) => code)
  const unknown = (named ?? []).filter((code) => !codes.includes(code))
  if (unknown.length > 0)
    throw invalid(
      unknown.map((code) => ({
        path,
        message: `"${code}" is not a locale of the repository: ${codes.join(', ')}`,
      })),
    )
  return named ?? codes
}

/** What is public of a head in each of some locales. */
export function publicationsIn(head: Entity, { list }: LocaleCodes): Publications {
  const { publishedVersion: version, publishedDate, publications } = head
  const ofAll = version === null ? null : { version, date: publishedDate ?? 0 }
  const found = list.flatMap(({ code }): [string, LocalePublication][] => {
    const one = publications ? publications[code] : ofAll
    return one ? [[code, one]] : []
  })
  return Object.fromEntries(found)
}

/** The locales in which something else is public of one head than of the head before. */
export function republishedLocales(before: Entity | null, head: Entity, locales: Locales): readonly string[] {
  const [was, is] = [before ? publicationsIn(before, locales) : {}, publicationsIn(head, locales)]
  const isOther = (code: string) =>
    was[code]?.version !== is[code]?.version || was[code]?.date !== is[code]?.date
  return locales.list.map(({ code }) => code).filter(isOther)
}

/** The versions that were public before and after a merge; null: none. */
export interface PublicVersions {
  readonly before: number | null
  readonly after: number | null
}

/**
 * What a merge changed of what is public in locales, for a revert. None if one version was public before
 * and one is now in the same locales: then the numbers of the heads say so.
 */
export function publicVersions(
  before: Entity | null,
  after: Entity,
  locales: Locales | undefined,
): { readonly locales?: Readonly<Record<string, PublicVersions>> } {
  if (!locales) return {}
  const [was, is] = [before ? publicationsIn(before, locales) : {}, publicationsIn(after, locales)]
  const versions = locales.list.map(({ code }): readonly [string, PublicVersions] => [
    code,
    { before: was[code]?.version ?? null, after: is[code]?.version ?? null },
  ])
  const isAlike = ([, one]: (typeof versions)[number]) =>
    one.before === null || one.after === null
      ? one.before === one.after
      : one.before === before?.publishedVersion && one.after === after.publishedVersion
  const changed = versions.filter(([, one]) => one.before !== one.after)
  return versions.every(isAlike) || changed.length === 0 ? {} : { locales: Object.fromEntries(changed) }
}

/** A head in a repository with locales, as the branch shows that changes its state. */
export interface PublishedHead {
  readonly head: Entity
  /** Main's head where a package changes the state: undefined on main, null if main has none. */
  readonly main: Entity | null | undefined
}

/** What is published. */
interface Publishing extends PublishedHead {
  /** The locales that the call names. Default: all; in a package, where main publishes it when it is merged. */
  readonly named: readonly string[] | undefined
  /** Unix ms. */
  readonly date: number
}

/** What publishing a head makes its state. Errors: `invalid` for unknown locales. */
export function publishedState(type: ContentType, { head, main, named, date }: Publishing): Partial<Entity> {
  const { locales } = definitionOf(type) ?? {}
  const codes = main !== undefined && !named ? null : namedLocales({ type, locales: named })
  const state = { publishedVersion: head.version, inheritsPublished: false, publishedDate: date }
  if (!locales || !codes) return { ...state, publications: undefined }
  const added = codes.map((code) => [code, { version: head.version, date }] as const)
  const before = publicationsOnBranch({ head, main }, locales)
  return { ...state, publications: { ...before, ...Object.fromEntries(added) } }
}

/** What is public of a head where its state changes. In a package what main publishes is marked. */
function publicationsOnBranch({ head, main }: PublishedHead, locales: Locales): Publications {
  const all = publicationsIn(head, locales)
  if (main === undefined || (head.packageId !== null && head.publications)) return all
  if (hasStateOfMain(head)) return inheritedPublications(all)
  // The package publishes it where main does, or everywhere.
  const ofMain = main ? publicationsIn(main, locales) : {}
  const isWhereMain = ([code]: readonly [string, unknown]) => Object.hasOwn(ofMain, code)
  const where = Object.entries(all).filter(isWhereMain)
  return where.length === 0 ? all : Object.fromEntries(where)
}

/** Whether a head that a package shows is published as on main when the package took it over. */
function hasStateOfMain({ packageId, inheritsPublished, version, publishedVersion, base }: Entity): boolean {
  if (packageId === null || inheritsPublished) return true
  return base !== null && base.version === version && base.publishedVersion === publishedVersion
}

interface NamedInPackage {
  readonly main: Entity | null
  /** Undefined: the package names none. */
  readonly codes: readonly string[] | undefined
  readonly publication: LocalePublication
}

/** The publications of a head of a package that names the locales in which a merge publishes it. */
export function namedInPackage(
  { main, codes, publication }: NamedInPackage,
  locales: Locales | undefined,
): Pick<Entity, 'publications'> {
  if (!codes || !locales) return {}
  const own = codes.map((code) => [code, publication] as const)
  const ofMain = main ? inheritedPublications(publicationsIn(main, locales)) : {}
  return { publications: { ...ofMain, ...Object.fromEntries(own) } }
}

/** The locales in which a merge of a package publishes a head, if the package names them. */
export function localesToPublish({
  packageId,
  version,
  inheritsPublished,
  publications,
}: Entity): readonly string[] {
  if (packageId === null || inheritsPublished) return []
  return Object.entries(publications ?? {})
    .filter(([, publication]) => publication.version === version && !publication.inherited)
    .map(([code]) => code)
    .toSorted()
}

interface Unpublishing extends PublishedHead {
  /** The locales that the call names. Default: all. */
  readonly named: readonly string[] | undefined
}

/**
 * What unpublishing a head in some locales makes its state. Errors: `invalid` for unknown locales;
 * `invalid_state` if nothing is public in one of them that the call names, or in a package if only main
 * publishes it there.
 */
export function unpublishedState(type: ContentType, { head, main, named }: Unpublishing): Partial<Entity> {
  const { locales } = definitionOf(type) ?? {}
  const codes = namedLocales({ type, locales: named })
  const none = {
    publishedVersion: null,
    inheritsPublished: false,
    publishedDate: null,
    publications: undefined,
  }
  if (!locales || !codes || (main !== undefined && !named)) return none
  const before = publicationsOnBranch({ head, main }, locales)
  const absent = codes.find((code) => !before[code])
  if (named && absent !== undefined)
    throw new QuireError('invalid_state', `No version of the item is published in "${absent}".`)
  const ofMain = codes.find((code) => before[code]?.inherited)
  if (ofMain !== undefined)
    throw new QuireError(
      'invalid_state',
      `Main publishes the item in "${ofMain}", not the package: unpublish it there, or here in all locales.`,
    )
  const left = Object.entries(before).filter(([code]) => !codes.includes(code))
  const hasOwn = left.some(([, { inherited }]) => !inherited)
  if (main && !hasOwn) return publishedAsOnMain(head, main)
  return left.length === 0 ? none : publishedAs(Object.fromEntries(left))
}

/** The state of a package's head that publishes nothing itself: as when the package took it over. */
function publishedAsOnMain({ base }: Entity, main: Entity): Partial<Entity> {
  const { publishedDate, publications } = main
  return {
    publishedVersion: base?.publishedVersion ?? null,
    inheritsPublished: typeof base?.publishedVersion === 'number',
    publishedDate,
    publications: publications && inheritedPublications(publications),
  }
}

/** The state of a head of which these versions are public. */
export function publishedAs(publications: Publications): Partial<Entity> {
  const all = Object.values(publications)
  if (all.length === 0) return { publishedVersion: null, publishedDate: null, publications: undefined }
  return {
    publishedVersion: Math.max(...all.map(({ version }) => version)),
    publishedDate: Math.max(...all.map(({ date }) => date)),
    publications,
  }
}

/** The codes of locales, and which of them is the default one. */
type LocaleCodes = Pick<Locales, 'default'> & {
  readonly list: readonly Pick<Locales['list'][number], 'code'>[]
}

/**
 * The state of an item whose repository has other locales now: it is public in those that stay where
 * it was, in the first default locale as it was without locales, and without locales as it was in the
 * default one.
 */
export function stateWithLocales(
  item: Entity,
  was: LocaleCodes | undefined,
  is: LocaleCodes | undefined,
): Partial<Entity> {
  const { publishedVersion: version, publishedDate, publications } = item
  if (version === null) return {}
  // Without a map, a package publishes where main does.
  if (item.packageId !== null) return publications && is ? publishedAs(publicationsIn(item, is)) : {}
  if (!was) return is ? publishedAs({ [is.default]: { version, date: publishedDate ?? 0 } }) : {}
  const before = publicationsIn(item, was)
  if (is) return publishedAs(publicationsIn({ ...item, publications: before }, is))
  return { ...publishedOnly(before[was.default]), publications: undefined }
}

/** The state of a head of which this is public, in a repository without locales. */
function publishedOnly(publication: LocalePublication | undefined): Partial<Entity> {
  return { publishedVersion: publication?.version ?? null, publishedDate: publication?.date ?? null }
}
