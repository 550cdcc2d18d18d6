import type { Contract, InputOf } from '@quire/contract'

type NewType = InputOf<Contract['types']['create']>
type NewField = NonNullable<NewType['fields']>[number]

const title: NewField = { name: 'title', label: 'Title', kind: 'text', required: true }
const summary: NewField = { name: 'summary', label: 'Summary', kind: 'text', settings: { maxLength: 500 } }
const body: NewField = { name: 'body', label: 'Text', kind: 'richText', settings: { format: 'markdown' } }
const settings = { slugFrom: 'title', titleField: 'title' }

/**
 * The content types of the demo, listed in `demo/README.md`. Types that others refer to come first.
 */
export const demoTypes: readonly NewType[] = [
  { name: 'author', displayName: 'Author', settings, fields: [title, summary, body] },
  {
    name: 'picture',
    displayName: 'Picture',
    settings: { isAsset: true, mimeTypes: ['image/*'] },
    fields: [{ name: 'alt', label: 'What it shows', kind: 'text', required: true }],
  },
  {
    name: 'article',
    displayName: 'Article',
    settings,
    fields: [
      title,
      summary,
      {
        name: 'author',
        label: 'Author',
        kind: 'reference',
        settings: { types: ['author'], onDelete: 'restrict' },
      },
      {
        name: 'cover',
        label: 'Cover',
        kind: 'reference',
        settings: { types: ['picture'], onDelete: 'restrict' },
      },
      { name: 'readingMinutes', label: 'Minutes to read', kind: 'integer', settings: { min: 1, max: 120 } },
      { name: 'publishedOn', label: 'Published on', kind: 'date' },
      { name: 'topics', label: 'Topics', kind: 'text', list: true },
      body,
    ],
  },
  { name: 'page', displayName: 'Page', settings, fields: [title, summary, body] },
  {
    name: 'guide',
    displayName: 'Guide',
    settings,
    fields: [title, summary, { name: 'order', label: 'Place in the contents', kind: 'integer' }, body],
  },
]
