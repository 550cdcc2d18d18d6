import type { Api } from '@quire/contract'

/** The categories of the articles: a filter by one matches a twentieth. */
export const categories = Array.from({ length: 20 }, (_, index) => `category-${index}`)

const prose =
  'A line of ink begins as a drop of sap that an oak wraps around the egg of a wasp, and ends as the black of a letter. '

/** Returns an article of about 3 KB when serialized. */
export function article(index: number) {
  const title = `Article ${index}`
  return {
    repositoryId: 'bench',
    type: 'article',
    name: title,
    slug: `article-${index}`,
    description: 'The subject of a magazine article, in one line',
    fields: {
      title,
      body: prose.repeat(14),
      category: `category-${index % categories.length}`,
      price: index % 1000,
    },
  }
}

/** Creates the repository, its content type and `count` articles. */
export async function fill(api: Api, count: number): Promise<void> {
  await api.repositories.create({ name: 'bench' })
  await api.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
      { name: 'category', kind: 'text' },
      { name: 'price', kind: 'number' },
    ],
  })
  for (let start = 0; start < count; start += 50) {
    const batch = Array.from({ length: Math.min(50, count - start) }, (_, index) => article(start + index))
    await Promise.all(batch.map((input) => api.items.create(input)))
  }
}

/** Slugs of articles in an order that defeats caches. */
export function scatteredSlugs(count: number, length: number): string[] {
  return Array.from({ length }, (_, index) => `article-${(index * 7919) % count}`)
}
