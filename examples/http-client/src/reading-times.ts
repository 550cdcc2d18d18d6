import { all, isQuireError, type Api } from '@quire/client'
import type { ArticleFields, ContentTypes } from './generated/content-types.ts'

/** The outcome for one article. */
export interface Outcome {
  readonly slug: string
  readonly minutes: number
  /**
   * `changed`; `same` if it was already correct; `theirs` if somebody else changed the same number
   * at the same time.
   */
  readonly result: 'changed' | 'same' | 'theirs'
}

/** A change of an article, and the version that it is based on. */
interface Change {
  readonly configId: string
  readonly id: string
  readonly baseVersion: number
  readonly fields: ArticleFields
}

const wordsPerMinute = 180

/**
 * Counts the words of every article in a repository and writes its reading time. Each change names
 * the version that it is based on, so that an editor's concurrent change is preserved.
 */
export async function updateReadingTimes(quire: Api<ContentTypes>, configId: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for await (const item of all(quire.items.list, { configId, type: 'article', sort: 'name', limit: 100 })) {
    const { id, slug = '', fields = {}, currentVersion = 1 } = item
    const minutes = readingMinutes(fields.body ?? '')
    const isSame = fields.readingMinutes === minutes
    const change = { configId, id, baseVersion: currentVersion, fields: { readingMinutes: minutes } }
    outcomes.push({ slug, minutes, result: isSame ? 'same' : await write(quire, change) })
  }
  return outcomes
}

async function write(quire: Api<ContentTypes>, change: Change): Promise<'changed' | 'theirs'> {
  try {
    await quire.items.update<'article'>(change)
    return 'changed'
  } catch (error) {
    if (isQuireError(error) && error.code === 'version_conflict') return 'theirs'
    throw error
  }
}

/** The time to read a text in minutes, at least one. */
function readingMinutes(text: string): number {
  const words = text.split(/\s+/).filter(Boolean).length
  return Math.max(1, Math.round(words / wordsPerMinute))
}
