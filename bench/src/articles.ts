import type { Api, Contract, FieldInput, InputOf } from '@quire/contract'

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

/** The fields of an article. */
export const articleFields: FieldInput[] = [
  { name: 'title', kind: 'text', required: true },
  { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
  { name: 'category', kind: 'text' },
  { name: 'price', kind: 'number' },
]

/** Articles other than the usual ones. */
export interface Filling {
  readonly settings?: InputOf<Contract['repositories']['create']>['settings']
  readonly fields?: FieldInput[]
  readonly make?: (index: number) => InputOf<Contract['items']['create']>
}

/** Creates the repository, its content type and `count` articles. */
export async function fill(
  api: Api,
  count: number,
  { settings = {}, fields = articleFields, make = article }: Filling = {},
): Promise<void> {
  await api.repositories.create({ name: 'bench', settings })
  await api.types.create({ name: 'article', fields })
  for (let start = 0; start < count; start += 50) {
    const batch = Array.from({ length: Math.min(50, count - start) }, (_, index) => make(start + index))
    await Promise.all(batch.map((input) => api.items.create(input)))
  }
}

/** Slugs of articles in an order that defeats caches. */
export function scatteredSlugs(count: number, length: number): string[] {
  return Array.from({ length }, (_, index) => `article-${(index * 7919) % count}`)
}
