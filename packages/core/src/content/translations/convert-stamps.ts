import type { ContentType } from '@quire/contract'
import type { Json, JsonObject, Snapshot } from '../../ports/index.ts'
import { objectOr } from '../types/values.ts'
import { formatStamp, withKeys, type KeyedTranslation, type Stamp } from './stamp.ts'
import { stampedIn, stateOf } from './stamps.ts'
import { translationsIn, type Translation } from './translated.ts'

/** A conversion of an item to a changed content type. */
interface Conversion {
  readonly from: ContentType
  readonly to: ContentType
  /** Moves values to where the changed type has them. */
  readonly move: (values: JsonObject) => JsonObject
}

/**
 * The stamps of converted values, whose translations keep the states that they had. A renamed field
 * gives its values other checksums, another kind also their sources.
 */
export function convertedStamps(
  { from, to, move }: Conversion,
  { body }: Pick<Snapshot, 'body'>,
  converted: JsonObject,
): string[] {
  const { translations, stamps } = stampedIn(from, { body })
  const earlier = movedTo(to, translations, move(withNumbers(objectOr(body.fields), translations)))
  const next = new Map<string, Stamp>()
  for (const translation of withKeys(translationsIn(to, converted))) {
    const { valueKey: value, sourceKey } = translation
    const before = earlier.get(keyOf(translation))
    const stamp = before && stamps.get(before.valueKey ?? '')
    if (!stamp || value === null) continue
    const current = stateOf(before, stamps) === 'current' ? [sourceKey] : []
    const sources = new Set([...(next.get(value)?.sources ?? []), ...stamp.sources, ...current])
    next.set(value, { ...stamp, value, sources })
  }
  return [...next.values()].map(formatStamp)
}

/** Values in which each translation is replaced by its number, to find out where it goes. */
function withNumbers(fields: JsonObject, translations: readonly Translation[]): JsonObject {
  const numbered: Container = structuredClone(fields)
  for (const [number, { path, locale }] of translations.entries()) {
    let container = numbered
    for (const name of path.split('.').slice(1)) container = memberOf(container, name)
    container[locale] = number
  }
  return numbered
}

/** An object or a list of the copy, which may change. */
type Container = Record<string, Json>

function memberOf(container: Container, name: string): Container {
  const member = container[name]
  // A localized value of which no locale has one is not stored.
  return typeof member === 'object' && member !== null ? (member as Container) : {}
}

function movedTo(
  type: ContentType,
  translations: readonly KeyedTranslation[],
  numbered: JsonObject,
): ReadonlyMap<string, KeyedTranslation> {
  return new Map(
    translationsIn(type, numbered).flatMap((moved) => {
      const before = translations[Number(moved.value)]
      return before ? [[keyOf(moved), before] as const] : []
    }),
  )
}

/** The first entry of a list has the path of the only value, which the field has had or will have. */
function keyOf({ path, locale }: Translation): string {
  return `${path.replaceAll('.0', '')} ${locale}`
}
