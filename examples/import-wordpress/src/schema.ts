import { defineField, defineSchema, defineType } from '@quire/contract/schema'

const title = defineField({ name: 'title', kind: 'text' })
const wordpressId = defineField({
  name: 'wordpressId',
  kind: 'integer',
  unique: true,
  help: 'The id in WordPress',
})

export const author = defineType({
  name: 'author',
  displayName: 'Author',
  fields: [
    title,
    { name: 'login', kind: 'slug', unique: true },
    { name: 'email', kind: 'email', searchable: false },
  ],
})

export const picture = defineType({
  name: 'picture',
  displayName: 'Picture',
  settings: { isAsset: true, mimeTypes: ['image/*'] },
  fields: [wordpressId, { name: 'alt', kind: 'text' }],
})

const written = [
  title,
  wordpressId,
  defineField({ name: 'body', kind: 'richText' }),
  defineField({ name: 'excerpt', kind: 'text' }),
  defineField({ name: 'author', kind: 'reference', settings: { types: ['author'] } }),
  defineField({ name: 'image', kind: 'asset', settings: { mimeTypes: ['image/*'] } }),
  defineField({ name: 'date', kind: 'datetime' }),
  defineField({ name: 'tags', kind: 'text', list: true }),
] as const

export const post = defineType({
  name: 'post',
  displayName: 'Post',
  settings: { titleField: 'title' },
  fields: written,
})

export const page = defineType({
  name: 'page',
  displayName: 'Page',
  settings: { titleField: 'title' },
  fields: written,
})

export const schema = defineSchema([author, picture, post, page])
