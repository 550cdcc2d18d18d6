import type { Api } from '@quire/contract'
import { configId } from './magazine.ts'

/** The front page of the magazine in a locale: a line for each article that is public in it. */
export async function frontPage(quire: Api, locale: string): Promise<string[]> {
  const { items } = await quire.published.items({ configId, locale, type: 'article', sort: 'name' })
  return items.map(({ fields, fallbacks }) => {
    const [title, teaser] = [fields?.['title'], fields?.['teaser']].map(textOf)
    const borrowed = fallbacks?.['fields.teaser']
    return `${title}: ${teaser}${borrowed ? ` (${borrowed})` : ''}`
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
