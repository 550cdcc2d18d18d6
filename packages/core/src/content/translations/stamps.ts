import type { ContentType, TranslationState } from '@quire/contract'
import { checksum } from '../../engine/digest.ts'
import { canonicalText } from '../../engine/same.ts'
import type { IndexedValue, JsonObject, Snapshot } from '../../ports/index.ts'
import { translationsPath } from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import { defaultLocaleIn } from '../locales/form.ts'
import { definitionOf } from '../locales/fields.ts'
import { isEmpty, objectOr } from '../types/values.ts'
import { translationsIn, type Translation } from './translated.ts'

/**
 * Against which source a translation was made or last confirmed. It goes by values alone, so that a
 * save without a change, a revert or a move of a block makes no false alarm. Equal translations in
 * the same field of several blocks share a stamp with the sources of all of them.
 */
export interface Stamp {
  /** The checksum of the translation, its field and its locale. */
  readonly value: string
  /** Unix ms. Of two stamps of a translation the later one counts. */
  readonly date: number
  readonly isConfirmed: boolean
  /** The checksums of the sources. */
  readonly sources: ReadonlySet<string>
}

/** What the state of translations is decided by: the values, and the stamps beside them. */
interface Stamped {
  readonly translations: readonly Translation[]
  readonly stamps: ReadonlyMap<string, Stamp>
}

/** Values with the locale that was the default one when they were saved, if that is known. */
type Saved = Pick<Snapshot, 'body'>

/** A translation with the state that it is in. */
export interface StatedTranslation extends Translation {
  readonly state: TranslationState
}

/** The states of the translations of an item. */
export function statesIn(type: ContentType, saved: Saved): StatedTranslation[] {
  const { translations, stamps } = stampedIn(type, saved)
  return translations.map((translation) => ({ ...translation, state: stateOf(translation, stamps) }))
}

/** A text to translate, with what is there. */
export interface StatedText extends StatedTranslation {
  readonly source: string
}

/** The texts of an item that people or models translate into a locale: prose, but no lists of it. */
export function textsIn(type: ContentType, saved: Saved, locale: string): StatedText[] {
  return statesIn(type, saved).flatMap((one): StatedText[] => {
    const { source, definition } = one
    const isText = one.locale === locale && rulesOf(definition).isProse && typeof source === 'string'
    return isText && source !== '' ? [{ ...one, source }] : []
  })
}

function stateOf(translation: Translation, stamps: Stamped['stamps']): TranslationState {
  if (isEmpty(translation.value)) return 'missing'
  const stamp = stamps.get(valueKey(translation))
  return stamp?.sources.has(sourceKey(translation)) ? 'current' : 'outdated'
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
  readonly stamps?: readonly string[]
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
  const dated = (stamp: Stamp): Stamp => ({ ...stamp, date: Math.min(stamp.date, now) })
  // A file can have any date.
  const sent = stamps.map((text) => dated(parseStamp(text)))
  const known = latest([...sent, ...before.flatMap((one) => [...one.stamps.values()].map(dated))])
  const arrived = new Set(sent.map(({ value }) => value))
  const holders = before.map(({ translations }) => groupsOf(translations))
  const present = groupsOf(translationsIn(type, fields))
  const next = [...present].map(([value, { count, sources }]): Stamp => {
    const most = Math.max(0, ...holders.map((groups) => groups.get(value)?.count ?? 0))
    const stamp = most > 0 || arrived.has(value) ? known.get(value) : undefined
    // With one more of equal translations, each could be the new one.
    if (stamp && (count <= most || arrived.has(value))) return stamp
    const earlier = [...(stamp?.sources ?? [])].slice(0, mostKept)
    return { value, date: now, isConfirmed: false, sources: new Set([...sources, ...earlier]) }
  })
  const gone = [...known.values()].filter(({ value, isConfirmed }) => isConfirmed && !present.has(value))
  const kept = gone.toSorted((a, b) => b.date - a.date).slice(0, mostKept)
  return [...next, ...kept].map(formatStamp).toSorted()
}

/** The stamps after a person has said that some translations are still right. */
export function confirmedStamps(
  type: ContentType,
  saved: Saved,
  { translations, now }: { translations: readonly Translation[]; now: number },
): string[] {
  const stamped = stampedIn(type, saved)
  const stamps = new Map(stamped.stamps)
  const groups = groupsOf(stamped.translations)
  for (const [value, { sources: confirmed }] of groupsOf(translations)) {
    const others = [...(stamps.get(value)?.sources ?? [])]
    const current = groups.get(value)?.sources ?? new Set()
    // A source that no block has any more is not the last one that it was confirmed against.
    const sources = new Set([...confirmed, ...others.filter((source) => current.has(source))])
    stamps.set(value, { value, date: now, isConfirmed: true, sources })
  }
  return [...stamps.values()].map(formatStamp).toSorted()
}

/**
 * The translations of a version with their stamps. Without stamps, and if another locale was the
 * default one, each counts as made against the source that it stands beside.
 */
function stampedIn(type: ContentType, saved: Saved): Stamped {
  const { fields } = saved.body
  const translations = translationsIn(type, objectOr(fields))
  const before = defaultLocaleIn(saved)
  const isOther = before !== null && before !== definitionOf(type)?.locales.default
  const stamps = new Map(isOther ? [] : latest(stampTexts(saved.body).map(parseStamp)))
  for (const [value, { sources }] of groupsOf(translations))
    if (!stamps.has(value)) stamps.set(value, { value, date: 0, isConfirmed: false, sources })
  return { translations, stamps }
}

/** The stamps in a body or a content, as they are stored. */
export function stampTexts({ translations }: JsonObject): readonly string[] {
  return Array.isArray(translations) ? translations.filter((text) => typeof text === 'string') : []
}

interface Group {
  readonly count: number
  readonly sources: ReadonlySet<string>
}

/** The translations that exist, by their checksums. */
function groupsOf(translations: readonly Translation[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, { count: number; readonly sources: Set<string> }>()
  for (const translation of translations) {
    if (isEmpty(translation.value)) continue
    const key = valueKey(translation)
    const group = groups.get(key) ?? { count: 0, sources: new Set() }
    groups.set(key, group)
    group.count += 1
    group.sources.add(sourceKey(translation))
  }
  return groups
}

/** Stamps, of which those that others have later ones for are replaced by them. */
export function withLater(stamps: readonly string[], others: readonly string[]): string[] {
  const known = latest(others.map(parseStamp))
  return stamps.map((text) => {
    const stamp = parseStamp(text)
    const other = known.get(stamp.value)
    return other && rankOf(other) > rankOf(stamp) ? formatStamp(other) : text
  })
}

/** The latest stamp of each translation; of two at the same time, the confirmed one. */
function latest(stamps: readonly Stamp[]): ReadonlyMap<string, Stamp> {
  const found = new Map<string, Stamp>()
  for (const stamp of stamps) {
    const other = found.get(stamp.value)
    if (!other || rankOf(stamp) > rankOf(other)) found.set(stamp.value, stamp)
  }
  return found
}

function rankOf({ date, isConfirmed }: Stamp): number {
  return date + Number(isConfirmed) / 2
}

function valueKey({ field, value }: Translation): string {
  return checksum(`${field} ${canonicalText(value)}`)
}

/** Of a source that is not there: that of null. */
function sourceKey({ source }: Translation): string {
  return checksum(canonicalText(isEmpty(source) ? null : source))
}

function formatStamp({ value, date, isConfirmed, sources }: Stamp): string {
  return [value, date.toString(36), isConfirmed ? 'c' : 'm', ...sources].join(' ')
}

function parseStamp(text: string): Stamp {
  const [value = '', date = '', confirmed, ...sources] = text.split(' ')
  return {
    value,
    date: Number.parseInt(date, 36) || 0,
    isConfirmed: confirmed === 'c',
    sources: new Set(sources),
  }
}
