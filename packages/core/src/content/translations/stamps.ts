import type { ContentType, TranslationState } from '@quire/contract'
import { translationsPath, type IndexedValue, type JsonObject, type Snapshot } from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import { definitionOf } from '../locales/fields.ts'
import { defaultLocaleIn } from '../locales/form.ts'
import { objectOr } from '../types/values.ts'
import {
  formatStamp,
  groupsOf,
  latest,
  parseStamp,
  stampTexts,
  withKeys,
  type EqualTranslations,
  type KeyedTranslation,
  type Stamp,
} from './stamp.ts'
import { translationsIn } from './translated.ts'

/** What the state of translations is decided by: the values, and the stamps beside them. */
interface Stamped {
  readonly translations: readonly KeyedTranslation[]
  readonly stamps: ReadonlyMap<string, Stamp>
}

/** Values with the locale that was the default one when they were saved, if that is known. */
type Saved = Pick<Snapshot, 'body'>

/** A translation with the state that it is in. */
export interface StatedTranslation extends KeyedTranslation {
  readonly state: TranslationState
}

/** The states of the translations of an item, into all locales or one. */
export function statesIn(type: ContentType, saved: Saved, locale?: string): StatedTranslation[] {
  const { translations, stamps } = stampedIn(type, saved, locale)
  return translations.map((translation) => ({ ...translation, state: stateOf(translation, stamps) }))
}

/** A text to translate, with what is there. */
export interface StatedText extends StatedTranslation {
  readonly source: string
}

/** The texts of an item that people or models translate into a locale: prose, but no lists of it. */
export function textsIn(type: ContentType, saved: Saved, locale: string): StatedText[] {
  return statesIn(type, saved, locale).flatMap((one): StatedText[] => {
    const { source, definition } = one
    const isText = rulesOf(definition).isProse && typeof source === 'string'
    return isText && source !== '' ? [{ ...one, source }] : []
  })
}

export function stateOf(
  { valueKey, sourceKey }: KeyedTranslation,
  stamps: Stamped['stamps'],
): TranslationState {
  if (valueKey === null) return 'missing'
  return stamps.get(valueKey)?.sources.has(sourceKey) ? 'current' : 'outdated'
}

/** The values by which lists find items by the state of their translations: `de:outdated`. */
export function indexedStates(type: ContentType, saved: Saved): IndexedValue[] {
  const found = new Set(statesIn(type, saved).map(({ locale, state }) => `${locale}:${state}`))
  return [...found].map((value) => ({ path: translationsPath, value }))
}

/** What is saved, and what it follows. */
interface ToStamp {
  readonly fields: JsonObject
  readonly now: number
  /** The versions that the content comes from: the head before it, another version, another branch. */
  readonly from: readonly (Saved | null | undefined)[]
  /** Stamps that came with the content. Default: none. */
  readonly stamps?: readonly string[] | undefined
}

// Stamps of translations that are not there any more, kept in case an old version is restored: only
// those that a person confirmed, because a version has those that it was saved with. Also the earlier
// sources of a stamp to which a new one is added.
const mostKept = 100

/**
 * The stamps to store beside saved values. A translation that a version had before keeps its stamp, the
 * latest if there are several; any other was made against its source just now.
 */
export function stampsFor(type: ContentType, { fields, now, from, stamps = [] }: ToStamp): string[] {
  if (!definitionOf(type)) return []
  const before = from.flatMap((saved) => (saved ? [stampedIn(type, saved)] : []))
  const dated = (stamp: Stamp): Stamp => (stamp.date > now ? { ...stamp, date: now } : stamp)
  // A file can have any date.
  const sent = stamps.map((text) => dated(parseStamp(text)))
  const all = [...sent, ...before.flatMap((one) => [...one.stamps.values()].map(dated))]
  const known = latest(all)
  const sources = sourcesOf(all)
  const arrived = new Set(sent.map(({ value }) => value))
  const holders = before.map(({ translations }) => groupsOf(translations))
  const present = groupsOf(withKeys(translationsIn(type, fields)))
  const next = [...present].map(([value, group]): Stamp => {
    const earlier = holders.flatMap((groups) => groups.get(value) ?? [])
    const stamp = earlier.length > 0 || arrived.has(value) ? known.get(value) : undefined
    if (stamp && (arrived.has(value) || !isAnyNew(group, earlier))) return stamp
    const earlierSources = stamp ? sources(value).slice(0, mostKept) : []
    const next = new Set([...newSources(group, earlier), ...earlierSources])
    return { value, date: now, isConfirmed: false, sources: next }
  })
  const gone = [...known.values()].filter(({ value, isConfirmed }) => isConfirmed && !present.has(value))
  const kept = gone.toSorted((a, b) => b.date - a.date).slice(0, mostKept)
  return [...next, ...kept].map(formatStamp).toSorted()
}

/** Whether there are more of equal translations than any version had. */
function isAnyNew({ count }: EqualTranslations, earlier: readonly EqualTranslations[]): boolean {
  return earlier.every((group) => count > group.count)
}

/** Looks up the sources of all stamps of a translation. */
function sourcesOf(stamps: readonly Stamp[]): (value: string) => string[] {
  let byValue: ReadonlyMap<string, readonly Stamp[]> | undefined
  return (value) => {
    byValue ??= Map.groupBy(stamps, (stamp) => stamp.value)
    return (byValue.get(value) ?? []).flatMap((stamp) => [...stamp.sources])
  }
}

/** The sources of equal translations beside which there are more of them than in any version. */
function newSources({ sources }: EqualTranslations, earlier: readonly EqualTranslations[]): string[] {
  return [...sources]
    .filter(([source, count]) => earlier.every((group) => count > (group.sources.get(source) ?? 0)))
    .map(([source]) => source)
}

/** The stamps after a person has said that some translations are still right. */
export function confirmedStamps(
  type: ContentType,
  saved: Saved,
  { translations, now }: { translations: readonly KeyedTranslation[]; now: number },
): string[] {
  const stamped = stampedIn(type, saved)
  const stamps = new Map(stamped.stamps)
  const groups = groupsOf(stamped.translations)
  for (const [value, { sources: confirmed }] of groupsOf(translations)) {
    const others = [...(stamps.get(value)?.sources ?? [])]
    const current = groups.get(value)?.sources
    // A source that no block has any more is not the last one that it was confirmed against.
    const sources = new Set([...confirmed.keys(), ...others.filter((source) => current?.has(source))])
    stamps.set(value, { value, date: now, isConfirmed: true, sources })
  }
  return [...stamps.values()].map(formatStamp).toSorted()
}

/**
 * The translations of a version, into all locales or one, with their stamps. Without stamps, and if
 * another locale was the default one, each counts as made against the source that it stands beside.
 */
export function stampedIn(type: ContentType, saved: Saved, locale?: string): Stamped {
  const { fields } = saved.body
  const translations = withKeys(translationsIn(type, objectOr(fields), locale))
  const before = defaultLocaleIn(saved)
  const isOther = before !== null && before !== definitionOf(type)?.locales.default
  const stamps = new Map(isOther ? [] : latest(stampTexts(saved.body).map(parseStamp)))
  const unstamped = translations.filter(({ valueKey }) => valueKey !== null && !stamps.has(valueKey))
  for (const [value, { sources }] of groupsOf(unstamped))
    stamps.set(value, { value, date: 0, isConfirmed: false, sources: new Set(sources.keys()) })
  return { translations, stamps }
}
