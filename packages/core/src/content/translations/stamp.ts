import { checksum } from '../../engine/digest.ts'
import { canonicalText } from '../../engine/same.ts'
import type { Json, JsonObject } from '../../ports/index.ts'
import { isEmpty } from '../types/values.ts'
import type { Translation } from './translated.ts'

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

/** The stamps in a body or a content, as they are stored. */
export function stampTexts({ translations }: JsonObject): readonly string[] {
  return Array.isArray(translations) ? translations.filter((text) => typeof text === 'string') : []
}

export function formatStamp({ value, date, isConfirmed, sources }: Stamp): string {
  return [value, date.toString(36), isConfirmed ? 'c' : 'm', ...sources].join(' ')
}

export function parseStamp(text: string): Stamp {
  const [value = '', date = '', confirmed, ...sources] = text.split(' ')
  return {
    value,
    date: Number.parseInt(date, 36) || 0,
    isConfirmed: confirmed === 'c',
    sources: new Set(sources),
  }
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
export function latest(stamps: readonly Stamp[]): ReadonlyMap<string, Stamp> {
  const byValue = new Map<string, Stamp>()
  for (const stamp of stamps) {
    const other = byValue.get(stamp.value)
    if (!other || rankOf(stamp) > rankOf(other)) byValue.set(stamp.value, stamp)
  }
  return byValue
}

function rankOf({ date, isConfirmed }: Stamp): number {
  return date + Number(isConfirmed) / 2
}

/** A translation with the checksums that its stamp goes by. */
export interface KeyedTranslation extends Translation {
  /** Of the translation, its field and its locale; null if it is missing. */
  readonly valueKey: string | null
  /** Of the source; of one that is not there: that of null. */
  readonly sourceKey: string
}

export function withKeys(translations: readonly Translation[]): KeyedTranslation[] {
  // All locales have the same source.
  const sourceKeys = new Map<Json, string>()
  return translations.map((translation) => {
    const { field, value, source } = translation
    const sourceKey = sourceKeys.get(source) ?? checksum(canonicalText(isEmpty(source) ? null : source))
    sourceKeys.set(source, sourceKey)
    return {
      ...translation,
      valueKey: isEmpty(value) ? null : checksum(`${field} ${canonicalText(value)}`),
      sourceKey,
    }
  })
}

/** Equal translations in the same field and locale. */
export interface EqualTranslations {
  readonly count: number
  /** How many of them stand beside each source, by the checksum of the source. */
  readonly sources: ReadonlyMap<string, number>
}

/** The translations that exist, by their checksums. */
export function groupsOf(translations: readonly KeyedTranslation[]): ReadonlyMap<string, EqualTranslations> {
  const groups = new Map<string, { count: number; readonly sources: Map<string, number> }>()
  for (const { valueKey, sourceKey } of translations) {
    if (valueKey === null) continue
    const group = groups.get(valueKey) ?? { count: 0, sources: new Map<string, number>() }
    groups.set(valueKey, group)
    group.count += 1
    group.sources.set(sourceKey, (group.sources.get(sourceKey) ?? 0) + 1)
  }
  return groups
}
