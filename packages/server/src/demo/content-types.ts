import type { Contract, InputOf } from '@quire/contract'

type NewType = InputOf<Contract['types']['create']>
type NewField = NonNullable<NewType['fields']>[number]

/** Has a value for each locale in the magazine; the documentation has no locales. */
const localized = { localized: true } as const
/** A new item can be published in all locales before somebody has translated it. */
const required = { required: true, fallbackCounts: true } as const
const title: NewField = { name: 'title', label: 'Title', kind: 'text', ...localized, ...required }
const summary: NewField = {
  name: 'summary',
  label: 'Summary',
  kind: 'text',
  settings: { maxLength: 500 },
  ...localized,
}
const body: NewField = {
  name: 'body',
  label: 'Text',
  kind: 'richText',
  settings: { format: 'markdown' },
  ...localized,
}
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
    fields: [{ name: 'alt', label: 'What it shows', kind: 'text', ...localized, ...required }],
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
