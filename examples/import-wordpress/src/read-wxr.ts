import { XMLParser } from 'fast-xml-parser'

/** A category or tag of WordPress. */
export interface Term {
  readonly slug: string
  readonly name: string
  readonly parent: string
}

/** A post, a page or an attachment. */
export interface Entry {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly title: string
  readonly slug: string
  readonly author: string
  readonly body: string
  readonly excerpt: string
  /** ISO 8601; null if it has none. */
  readonly date: string | null
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** Of an attachment. */
  readonly url: string
  readonly meta: ReadonlyMap<string, string>
}

/** What a WordPress export (WXR 1.2) contains. */
export interface Wxr {
  readonly authors: readonly { readonly login: string; readonly name: string; readonly email: string }[]
  readonly categories: readonly Term[]
  readonly entries: readonly Entry[]
}

const many = ['rss.channel.item', 'rss.channel.wp:author', 'rss.channel.wp:category']
const inItems = ['rss.channel.item.category', 'rss.channel.item.wp:postmeta']

/** Reads an export of WordPress. Errors: Error if it is none. */
export function readWxr(xml: string): Wxr {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    processEntities: true,
    isArray: (_name, path) => [...many, ...inItems].includes(String(path)),
  })
  const { rss } = parser.parse(xml) as { rss?: { channel?: Node } }
  const channel = rss?.channel
  if (!channel || textOf(channel, 'wp:wxr_version') === '') throw new Error('This is no export of WordPress.')
  return {
    authors: nodesOf(channel, 'wp:author').map((node) => ({
      login: textOf(node, 'wp:author_login'),
      name: textOf(node, 'wp:author_display_name'),
      email: textOf(node, 'wp:author_email'),
    })),
    categories: nodesOf(channel, 'wp:category').map((node) => ({
      slug: textOf(node, 'wp:category_nicename'),
      name: textOf(node, 'wp:cat_name'),
      parent: textOf(node, 'wp:category_parent'),
    })),
    entries: nodesOf(channel, 'item').map(entryOf),
  }
}

interface Node {
  readonly [name: string]: unknown
}

function entryOf(node: Node): Entry {
  const terms = nodesOf(node, 'category')
  const date = textOf(node, 'wp:post_date_gmt')
  const termsOf = (domain: string) => terms.filter((term) => term['@domain'] === domain)
  return {
    id: Number(textOf(node, 'wp:post_id')),
    type: textOf(node, 'wp:post_type'),
    status: textOf(node, 'wp:status'),
    title: textOf(node, 'title'),
    slug: decodeURIComponent(textOf(node, 'wp:post_name')),
    author: textOf(node, 'dc:creator'),
    body: textOf(node, 'content:encoded'),
    excerpt: textOf(node, 'excerpt:encoded'),
    date: date === '' || date.startsWith('0000') ? null : `${date.replace(' ', 'T')}Z`,
    categories: termsOf('category').map((term) => String(term['@nicename'])),
    tags: termsOf('post_tag').map((term) => String(term['#text'])),
    url: textOf(node, 'wp:attachment_url'),
    meta: new Map(
      nodesOf(node, 'wp:postmeta').map((meta) => [
        textOf(meta, 'wp:meta_key'),
        textOf(meta, 'wp:meta_value'),
      ]),
    ),
  }
}

function nodesOf(node: Node, name: string): readonly Node[] {
  const value = node[name]
  return Array.isArray(value) ? value : []
}

function textOf(node: Node, name: string): string {
  const value = node[name]
  if (typeof value === 'object' && value !== null && '#text' in value) return String(value['#text'])
  return typeof value === 'string' ? value : ''
}
