import type { ExportedEntity } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, Publications } from '../../ports/index.ts'

/** Times of publication by locale, Unix ms. */
export type PublishedDates = Readonly<Record<string, number>>

type Published = Pick<Entity, 'packageId' | 'publishedVersion' | 'publishedDate' | 'publications'>

/** Where the version that is exported as published is public, and since when, if not in all locales. */
export function publishedLocales({
  packageId,
  publishedVersion,
  publishedDate,
  publications,
}: Published): Pick<ExportedEntity, 'publishedLocales' | 'publishedDates'> {
  if (!publications || publishedVersion === null) return {}
  const own = Object.entries(publications)
    .filter(([, { version, inherited }]) => version === publishedVersion && !inherited)
    .toSorted(byCode)
  // A package that names no locale changes nothing there.
  if (packageId !== null && own.length === 0) return {}
  const others = own.filter(([, { date }]) => date !== publishedDate).map(([code, { date }]) => [code, date])
  return {
    publishedLocales: own.map(([code]) => code),
    ...(others.length > 0 && { publishedDates: Object.fromEntries(others) }),
  }
}

/** Where other versions than the one that is exported as published are public. */
export function publicElsewhere({
  packageId,
  publishedVersion,
  publications,
}: Published): ReadonlyMap<number, PublishedDates> {
  const found = new Map<number, Record<string, number>>()
  // A package publishes its newest version only.
  if (packageId !== null) return found
  for (const [code, { version, date }] of Object.entries(publications ?? {}).toSorted(byCode))
    if (version !== publishedVersion) found.set(version, { ...found.get(version), [code]: date })
  return found
}

function byCode([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

/** The locales of a file and the repository that it comes to. */
interface LocalesOfFile {
  readonly scope: Scope
  /** The default one first. */
  readonly locales: readonly string[]
}

/**
 * A line with the locales of this repository in which it is published. In a repository without
 * locales it is published if it was in the default locale of the file.
 */
export function publishedHere(
  line: ExportedEntity,
  { scope: { repository }, locales }: LocalesOfFile,
): ExportedEntity {
  const { publishedLocales: named = [], publishedDates = {}, ...rest } = line
  if (line.published === null || named.length === 0) return rest
  const here = repository.settings.locales?.list.map(({ code }) => code)
  const codes = here
    ? named.filter((code) => here.includes(code))
    : named.filter((code) => code === locales[0])
  if (codes.length === 0) return { ...rest, published: null, publishedDate: null }
  if (here) return { ...line, publishedLocales: codes }
  const [code = ''] = codes
  return { ...rest, publishedDate: publishedDates[code] ?? rest.publishedDate }
}

/** Where an earlier version is public here. */
export interface PastPublication {
  /** Times by locale. */
  readonly publications?: PublishedDates
  /** In a repository without locales, Unix ms. */
  readonly publishedDate?: number
}

/**
 * Where an earlier version is public in this repository: in a repository without locales, if it was in the
 * default locale of the file.
 */
export function publishedPast(
  { now }: Call,
  publications: PublishedDates | undefined,
  { scope: { repository }, locales }: LocalesOfFile,
): PastPublication {
  if (!publications) return {}
  const here = repository.settings.locales?.list.map(({ code }) => code)
  const dates = Object.entries(publications).map(([code, date]) => [code, Math.min(date, now)] as const)
  if (here) {
    const known = dates.filter(([code]) => here.includes(code))
    return known.length === 0 ? {} : { publications: Object.fromEntries(known) }
  }
  const [, publishedDate] = dates.find(([code]) => code === locales[0]) ?? []
  return publishedDate === undefined ? {} : { publishedDate }
}

/** The locales in which a line is published. Their versions get their numbers when they are written. */
export function publicationsOf(
  { now }: Call,
  { publishedLocales, publishedDate, publishedDates = {} }: ExportedEntity,
): Pick<Entity, 'publications'> {
  if (!publishedLocales) return {}
  const publications = publishedLocales.map((code) => {
    const date = Math.min(publishedDates[code] ?? publishedDate ?? 0, now)
    return [code, { version: 0, date }]
  })
  return { publications: Object.fromEntries(publications) }
}

/** What is public where if this version is what the file has as published; null: not by locale. */
export function publicationsWith(
  { publications = {} }: Entity,
  before: Publications,
): ((version: number) => Publications) | null {
  if (Object.keys({ ...publications, ...before }).length === 0) return null
  const dates = Object.entries(publications).map(([code, { date }]) => [code, date])
  return publicAt(before, Object.fromEntries(dates))
}

/** What is public with a version that is public since these times. */
export function publicAt(before: Publications, dates: PublishedDates): (version: number) => Publications {
  return (version) => {
    const own = Object.entries(dates).map(([code, date]) => [code, { version, date }])
    return { ...before, ...Object.fromEntries(own) }
  }
}
