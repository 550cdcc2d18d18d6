import type { Api, Item } from '@quire/contract'

export const repository = 'magazine'

type Fields = Parameters<Api['types']['create']>[0]['fields']

/** A field of every kind, and lists of some. */
export const articleFields: Fields = [
  { name: 'title', kind: 'text' },
  { name: 'body', kind: 'richText' },
  { name: 'price', kind: 'number' },
  { name: 'pages', kind: 'integer' },
  { name: 'hot', kind: 'boolean' },
  { name: 'day', kind: 'date' },
  { name: 'at', kind: 'datetime' },
  { name: 'author', kind: 'reference', settings: { types: ['author'] } },
  { name: 'related', kind: 'reference', list: true },
  { name: 'secondCousins', kind: 'reference', list: true, settings: { onDelete: 'unset' } },
  { name: 'guard', kind: 'reference', settings: { onDelete: 'restrict' } },
  { name: 'picture', kind: 'asset' },
  { name: 'subject', kind: 'category' },
  { name: 'link', kind: 'url' },
  { name: 'mail', kind: 'email' },
  { name: 'handle', kind: 'slug' },
  { name: 'tint', kind: 'color' },
  { name: 'place', kind: 'geo' },
  { name: 'extra', kind: 'json' },
  { name: 'tags', kind: 'text', list: true },
  { name: 'seo', kind: 'group', settings: { fields: [{ name: 'title', kind: 'text' }] } },
  {
    name: 'blocks',
    kind: 'union',
    list: true,
    settings: { variants: [{ name: 'quote', fields: [{ name: 'words', kind: 'text' }] }] },
  },
]

/** The fields of a type that some may not read. One field differs in the second world. */
export function vaultFields(variant: 0 | 1): Fields {
  return [
    { name: 'secret', kind: 'text' },
    { name: 'code', kind: 'integer' },
    { name: `only${variant}`, kind: 'text' },
  ]
}

/** Values of all fields, generated from a word and a number below 10. */
export function articleValues(word: string, number: number, authors: readonly string[]): Item['fields'] {
  const [author] = authors
  return {
    title: word,
    body: `<p>${word} body</p>`,
    price: number + 0.5,
    pages: number,
    hot: number % 2 === 0,
    day: `2026-0${number}-01`,
    at: number * 1000,
    link: `https://${word}.example/`,
    mail: `${word}@example.org`,
    handle: word,
    tint: `#00000${number}`,
    place: { lat: number, lng: number },
    extra: { secret: word },
    tags: [word, 'all'],
    seo: { title: word },
    blocks: [{ type: 'quote', words: word }],
    ...(author !== undefined && { author, related: [...authors] }),
  }
}
