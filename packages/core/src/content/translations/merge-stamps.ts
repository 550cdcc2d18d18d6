import { withoutStamps } from '../items/content.ts'
import type { Sides } from '../merge/changes.ts'
import type { Side } from '../merge/entity.ts'
import { stampTexts, withLater } from './stamp.ts'

/**
 * The sides of a merge, of which ours has the stamps of theirs, or later ones. A package or a file then
 * brings that a translation was confirmed, and nothing if main knows better. Stamps of values that only
 * our side has come with these values when they are saved.
 */
export function withLatestStamps<T extends Sides<Side | null>>(sides: T): T {
  const { base, ours, theirs } = sides
  if (!theirs || !ours) return sides
  const stamps = stampTexts(theirs.content)
  const later = withLater(stamps, stampTexts(ours.content))
  return { ...sides, base: base && withStamps(base, stamps), ours: withStamps(ours, later) }
}

function withStamps(side: Side, translations: readonly string[]): Side {
  if (translations.length === 0 && !('translations' in side.content)) return side
  const content = withoutStamps(side.content)
  return { ...side, content: translations.length > 0 ? { ...content, translations } : content }
}
