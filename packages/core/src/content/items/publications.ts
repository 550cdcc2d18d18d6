import { QuireError, type ContentType, type Locales, type Repository } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { definitionOf } from '../locales/fields.ts'
import {
  publishedBranchId,
  type Entity,
  type LocalePublication,
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

type Publications = Readonly<Record<string, LocalePublication>>

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
export function publicationsIn(head: Entity, { list }: Locales): Publications {
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

/** A head in a repository with locales, as the branch shows that changes its state. */
export interface PublishedHead {
  readonly head: Entity
  /** Main's head where a package changes the state: undefined on main, null if main has none. */
  readonly main: Entity | null | undefined
}

/** What is published. */
interface Publishing extends PublishedHead {
  /**
   * Null: in a repository without locales, or in a package in those in which main publishes the item
   * when it is merged.
   */
  readonly codes: readonly string[] | null
  /** Unix ms. */
  readonly date: number
}

/** What publishing a head makes its state. */
export function publishedState(type: ContentType, { head, main, codes, date }: Publishing): Partial<Entity> {
  const { locales } = definitionOf(type) ?? {}
  const state = { publishedVersion: head.version, inheritsPublished: false, publishedDate: date }
  if (!locales || !codes) return { ...state, publications: undefined }
  const added = codes.map((code) => [code, { version: head.version, date }] as const)
  const before = publicationsOnBranch({ head, main }, locales)
  return { ...state, publications: { ...before, ...Object.fromEntries(added) } }
}

/** What is public of a head where its state changes. In a package what main publishes is marked. */
function publicationsOnBranch({ head, main }: PublishedHead, locales: Locales): Publications {
  if (main === undefined) return publicationsIn(head, locales)
  const ofMain = main ? publicationsIn(main, locales) : {}
  if (head.packageId === null || head.inheritsPublished) return inheritedPublications(ofMain)
  if (head.publications || Object.keys(ofMain).length === 0) return publicationsIn(head, locales)
  // It is published where main publishes the item.
  return publicationsIn(head, { ...locales, list: locales.list.filter(({ code }) => ofMain[code]) })
}

/** What main publishes, as a package shows it. */
export function inheritedPublications(publications: Publications): Publications {
  const marked = Object.entries(publications).map(([code, { version, date }]) => [
    code,
    { version, date, inherited: true as const },
  ])
  return Object.fromEntries(marked)
}

/** The locales in which a merge of a package publishes a head, if the package names them. */
export function localesToPublish({ packageId, version, publications }: Entity): readonly string[] {
  if (packageId === null) return []
  return Object.entries(publications ?? {})
    .filter(([, publication]) => publication.version === version && !publication.inherited)
    .map(([code]) => code)
    .toSorted()
}

interface Unpublishing extends PublishedHead {
  readonly codes: readonly string[] | null
  /** Whether the call names the locales. */
  readonly isNamed: boolean
}

/**
 * What unpublishing a head in some locales makes its state. Errors: `invalid_state` if nothing is
 * public in one of them that the call names, or in a package if only main publishes it there.
 */
export function unpublishedState(
  type: ContentType,
  { head, main, codes, isNamed }: Unpublishing,
): Partial<Entity> {
  const { locales } = definitionOf(type) ?? {}
  const none = {
    publishedVersion: null,
    inheritsPublished: false,
    publishedDate: null,
    publications: undefined,
  }
  if (!locales || !codes || (main !== undefined && !isNamed)) return none
  const before = publicationsOnBranch({ head, main }, locales)
  const absent = codes.find((code) => !before[code])
  if (isNamed && absent !== undefined)
    throw new QuireError('invalid_state', `No version of the item is published in "${absent}".`)
  const ofMain = codes.find((code) => before[code]?.inherited)
  if (ofMain !== undefined)
    throw new QuireError(
      'invalid_state',
      `Main publishes the item in "${ofMain}", not the package: unpublish it there, or here in all locales.`,
    )
  const left = Object.entries(before).filter(([code]) => !codes.includes(code))
  const hasOwn = left.some(([, { inherited }]) => !inherited)
  if (main && !hasOwn) return publishedAsOnMain(main)
  return left.length === 0 ? none : stateOf(Object.fromEntries(left))
}

/** The state of a package's head of which main's version is published. */
function publishedAsOnMain({ publishedVersion, publishedDate, publications }: Entity): Partial<Entity> {
  return { publishedVersion, publishedDate, publications, inheritsPublished: publishedVersion !== null }
}

/** The state of a head of which these versions are public. */
export function stateOf(publications: Publications): Partial<Entity> {
  const all = Object.values(publications)
  if (all.length === 0) return { publishedVersion: null, publishedDate: null, publications: undefined }
  return {
    publishedVersion: Math.max(...all.map(({ version }) => version)),
    publishedDate: Math.max(...all.map(({ date }) => date)),
    publications,
  }
}
