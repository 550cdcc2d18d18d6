import { QuireError, type ContentType, type Locales, type Repository } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { definitionOf } from '../locales/fields.ts'
import {
  publishedBranchId,
  type Branch,
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
  /** Where it does so. The head itself may be main's, shown in a package. */
  readonly branch: Branch
  readonly locales: readonly string[] | undefined
}

/**
 * The codes of the locales that a call publishes or unpublishes; null in a repository without
 * locales. Errors: `invalid` for unknown locales, and in packages, whose items are published in all
 * locales when they are merged.
 */
export function namedLocales({ type, branch, locales: named }: NamedLocales): readonly string[] | null {
  const { locales } = definitionOf(type) ?? {}
  const path = 'locales'
  if (named && !locales) throw invalid([{ path, message: 'the repository has no locales' }])
  if (named && branch.packageId !== null)
    throw invalid([{ path, message: 'cannot be used in a package, which publishes in all locales' }])
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

/**
 * What publishing a head in some locales at a time (Unix ms) makes its state. Null: in a package, or in
 * a repository without locales.
 */
export function publishedState(
  type: ContentType,
  { head, codes, date }: { head: Entity; codes: readonly string[] | null; date: number },
): Partial<Entity> {
  const { locales } = definitionOf(type) ?? {}
  const state = { publishedVersion: head.version, inheritsPublished: false, publishedDate: date }
  if (!locales || !codes) return { ...state, publications: undefined }
  const added = codes.map((code) => [code, { version: head.version, date }] as const)
  return { ...state, publications: { ...publicationsIn(head, locales), ...Object.fromEntries(added) } }
}

/**
 * What unpublishing a head in some locales makes its state. Errors: `invalid_state` if nothing is
 * public in one of them that the call names.
 */
export function unpublishedState(
  type: ContentType,
  { head, codes, isNamed }: { head: Entity; codes: readonly string[] | null; isNamed: boolean },
): Partial<Entity> {
  const { locales } = definitionOf(type) ?? {}
  const none = {
    publishedVersion: null,
    inheritsPublished: false,
    publishedDate: null,
    publications: undefined,
  }
  if (!locales || !codes) return none
  const before = publicationsIn(head, locales)
  const absent = codes.find((code) => !before[code])
  if (isNamed && absent !== undefined)
    throw new QuireError('invalid_state', `No version of the item is published in "${absent}".`)
  const left = Object.entries(before).filter(([code]) => !codes.includes(code))
  return left.length === 0 ? none : stateOf(Object.fromEntries(left))
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
