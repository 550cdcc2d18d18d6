import { limits } from '@quire/contract'
import { callApi } from './api-access.ts'
import type { Attack } from './loop-attacks.ts'

/** Page templates that render for as long as they are allowed to, each for its own page. */
const templates = {
  loops: '{% for i in (1..5000) %}{% for j in (1..5000) %}{% endfor %}{% endfor %}',
  sorts: `{% assign a = (1..9999) | join: " " | split: " " %}${'{% assign b = a | sort_natural %}'.repeat(1500)}`,
  escapes: `{% assign a = "" %}{% for i in (1..250000) %}{% assign a = a | append: "&" %}{% endfor %}${'{{ a | upcase | size }}'.repeat(1500)}`,
  nests:
    '{% assign a = "x" | split: "" %}{% for i in (1..60) %}{% assign a = a | push: a %}{% endfor %}{{ a }}',
}

const json = 'application/json'

/** Field kinds whose values are expensive to validate, sanitize, index or compare. */
const fields = [
  { name: 'title', kind: 'text' },
  { name: 'code', kind: 'text', settings: { pattern: '(x?){500}x{500}' } },
  { name: 'codes', kind: 'text', list: true, settings: { pattern: '(.{1,50}a){1,10}b' } },
  { name: 'body', kind: 'richText' },
  { name: 'bodies', kind: 'richText', list: true },
  { name: 'notes', kind: 'richText', settings: { format: 'markdown' } },
  { name: 'data', kind: 'json' },
  { name: 'links', kind: 'reference', list: true },
  { name: 'tags', kind: 'text', list: true, maxItems: limits.listItems },
]

type Page = keyof typeof templates

/**
 * Creates the targets of the attacks below, with the permissions of the contributor who sends them.
 * Returns their names in paths.
 */
export async function prepareContent(
  admin: Parameters<typeof callApi>[0],
): Promise<Readonly<Record<string, string>>> {
  const make = <T extends object>(path: string, body: object) => callApi<T>(admin, 'POST', { path, body })
  const { id: siteId } = await make<{ id: string }>('/api/sites/open', {
    name: 'Hostile',
    slug: 'hostile',
    templates,
  })
  const site = `/api/sites/open/${siteId}`
  const { id: sectionId } = await make<{ id: string }>(`${site}/sections`, { name: 'S', slug: 's' })
  for (const template of Object.keys(templates))
    await make(`${site}/pages`, { sectionId, name: template, slug: template, template })
  await make('/api/content/management/types', { name: 'content', fields })
  const data = (value: number) => ({
    [filled('x', 1_000_000)]: Object.fromEntries(list(9_000, (at) => [`n${at}`, value])),
  })
  const create = { repositoryId: 'open', type: 'content', name: 'Large', fields: { data: data(1) } }
  const { id: itemId } = await make<{ id: string }>('/api/items', create)
  await callApi(admin, 'PATCH', { path: `/api/items/open/${itemId}`, body: { fields: { data: data(2) } } })
  await make('/api/admin/repositories', { name: 'long', public: true })
  for (let at = 0; at < 40; at++)
    await make('/api/items', {
      repositoryId: 'long',
      type: 'content',
      name: `Long ${at}`,
      fields: { title: filled('ab ', 200_000) },
    })
  return { siteId, itemId }
}

const previewOf = (page: Page): Attack => ({
  name: `the preview of a page that ${page}`,
  by: 'contributor',
  method: 'GET',
  path: `/api/sites/open/{siteId}/preview/s/${page}/`,
  status: 409,
})

const itemOf = (status: number, name: string, values: () => Readonly<Record<string, unknown>>): Attack => ({
  name: `an item with ${name}`,
  by: 'contributor',
  path: '/api/items',
  type: json,
  body: () => JSON.stringify({ repositoryId: 'open', type: 'content', name: 'Hostile', fields: values() }),
  status,
})

const refused = 400
const stored = 201
const bytes = 4_000_000
const filled = (text: string, length = bytes) => text.repeat(Math.floor(length / text.length))
const list = <T>(count: number, entry: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => entry(at))
/** As much rich text as is sanitized at once, in as many values as a body may have. */
const bodies = (text: string) =>
  list(20, () => filled(text, Math.min(limits.richTextMarks * text.length, 240_000)))

/** A phrase that is nearly found at each word of a text. */
const phrase = encodeURIComponent(`"${filled('ab ', 480)}"`)

const rowsOf = (status: number, name: string, sent: Pick<Attack, 'type' | 'body'>): Attack => ({
  name: `rows with ${name}`,
  by: 'contributor',
  path: '/api/items/open/rows/import?type=content&dryRun=true',
  ...sent,
  status,
})

/** Content that is expensive to render, sanitize, index or compare. */
export const contentAttacks: readonly Attack[] = [
  previewOf('loops'),
  previewOf('sorts'),
  previewOf('escapes'),
  previewOf('nests'),
  {
    name: 'the difference of two objects below a long name',
    by: 'contributor',
    method: 'GET',
    path: '/api/items/open/{itemId}/diff?from=1&to=2',
    status: 200,
  },
  {
    name: 'a long phrase in long texts',
    by: 'anonymous',
    method: 'GET',
    path: `/api/published/items/long?limit=1&text=${phrase}`,
    status: 200,
  },
  {
    name: 'the highlights of a long phrase in long texts',
    by: 'viewer',
    path: '/api/queries/long',
    type: json,
    body: () =>
      JSON.stringify({ text: `"${filled('ab ', 480)}"`, highlight: true, select: ['id'], limit: 100 }),
    status: 200,
  },
  rowsOf(200, '150 000 values', {
    type: 'application/x-ndjson',
    body: () => `{"fields.data":{${list(150_000, (at) => `"k${at}":[]`).join()}}}\n`,
  }),
  rowsOf(refused, '300 000 columns', {
    type: 'text/csv',
    body: () => `${list(300_000, (at) => `c${at}`).join()}\n`,
  }),
  rowsOf(refused, '3 million quotes', {
    type: 'text/csv',
    body: () => `name\n"${filled('""', 6_000_000)}"\n`,
  }),
  itemOf(refused, '4 million &', () => ({ body: filled('&') })),
  itemOf(refused, '4 million <', () => ({ body: filled('<') })),
  itemOf(refused, 'nested paragraphs', () => ({ body: filled('<p>') })),
  itemOf(refused, 'closing tags of paragraphs', () => ({ body: filled('</p>') })),
  itemOf(refused, 'bold letters', () => ({ body: filled('<b>a</b>') })),
  itemOf(refused, 'an element with a million attributes', () => ({ body: `<p ${filled('a=b ')}>` })),
  itemOf(stored, 'as many & as are accepted, 20 times', () => ({ bodies: bodies('&') })),
  itemOf(stored, 'an element with as many attributes as are accepted', () => ({
    body: `<p ${filled('a=b ', 260_000)}>`,
  })),
  itemOf(refused, '4 MB for a pattern', () => ({ code: filled('x') })),
  itemOf(refused, '500 texts for a pattern', () => ({ codes: list(500, () => filled('xa', 9_999)) })),
  itemOf(refused, '24 000 references to missing items', () => ({
    links: list(24_000, () => 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'),
  })),
  itemOf(refused, '24 000 texts', () => ({ tags: list(24_000, String) })),
]
