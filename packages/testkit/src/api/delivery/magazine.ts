import type { Api } from '@quire/contract'

/** The content types that most tests use. */
export async function prepareMagazine(api: Api): Promise<void> {
  await api.repositories.create({ name: 'magazine', displayName: 'The Magazine' })
  await api.types.create({
    name: 'author',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'email', kind: 'email', unique: true },
    ],
  })
  await api.types.create({
    name: 'article',
    settings: { slugFrom: 'title', cardTemplate: '<h2>{{ item.fields.title }}</h2>' },
    fields: [
      { name: 'title', kind: 'text', required: true, settings: { maxLength: 200 } },
      { name: 'body', kind: 'richText' },
      { name: 'notes', kind: 'text' },
      { name: 'price', kind: 'number', settings: { min: 0 } },
      { name: 'tags', kind: 'text', list: true },
      { name: 'author', kind: 'reference', settings: { types: ['author'], onDelete: 'restrict' } },
      { name: 'related', kind: 'reference', list: true, maxItems: 2000 },
      { name: 'seo', kind: 'group', settings: { fields: [{ name: 'title', kind: 'text' }] } },
      {
        name: 'blocks',
        kind: 'union',
        list: true,
        settings: {
          variants: [{ name: 'quote', fields: [{ name: 'words', kind: 'text', required: true }] }],
        },
      },
    ],
  })
}

type NewArticle = Omit<Parameters<Api['items']['create']>[0], 'repositoryId' | 'type'>

/** A new article in the magazine. */
export function anArticle(article: NewArticle) {
  return { repositoryId: 'magazine', type: 'article', ...article }
}
