import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Connection } from '../server/connection.ts'
import { preparedQuery } from './prepare-structure.ts'
import { openFuzzServer, type FuzzServer } from './run-fuzz.ts'

/**
 * A hundred thousand characters of one repeated mark. A linear algorithm takes milliseconds, a
 * quadratic one seconds.
 */
const length = 100_000
// Milliseconds. Sanitizing as much HTML takes 200 ms on two idle cores.
const longest = 2000

const state = [
  '<',
  '<b>',
  '<!--',
  '<a ',
  '<![CDATA[',
  '&',
  '&#',
  ' ',
  '\n',
  '\t ',
  'a',
  'a-',
  '-',
  '"',
  '\\',
  '.',
  '(',
  '{{',
  'é',
  '墨 ',
] as const

type Location = (text: string) => { readonly path: string; readonly body?: unknown }

const article = (more: object) => ({
  path: '/api/items',
  body: { repositoryId: 'magazine', type: 'article', name: 'Long', ...more },
})
const search = (more: object) => ({ path: '/api/queries/magazine', body: more })
const query = (name: string) => (text: string) => ({
  path: `/api/items/magazine?${name}=${encodeURIComponent(text.slice(0, 1500))}`,
})

/** All inputs where a caller can put a text. */
const locations: Readonly<Record<string, Location>> = {
  name: (text) => article({ name: text }),
  description: (text) => article({ description: text }),
  slug: (text) => article({ slug: text }),
  'a text field': (text) => article({ fields: { title: text } }),
  'a field with a pattern': (text) => article({ fields: { code: text } }),
  'an HTML field': (text) => article({ fields: { body: text } }),
  'a list of texts': (text) => article({ fields: { tags: [text] } }),
  'a URL field': (text) => article({ fields: { urlValue: text } }),
  'a slug field': (text) => article({ fields: { slugValue: text } }),
  'an e-mail field': (text) => ({
    path: '/api/items',
    body: { repositoryId: 'magazine', type: 'author', name: 'Long', fields: { email: text } },
  }),
  'a JSON field': (text) => article({ fields: { jsonValue: { [text]: text } } }),
  'a card template': (text) => ({
    path: '/api/content/management/types',
    body: { name: 'long', settings: { cardTemplate: text.slice(0, 60_000) } },
  }),
  'a search': query('text'),
  'a filter': query('filter[name][contains]'),
  'a list of values': query('filter[name][in]'),
  'a sort': query('sort'),
  'a cursor': query('cursor'),
  'a folder': (text) => ({
    path: '/api/content/management/folders/magazine',
    body: { name: text.slice(0, 200), description: text.slice(0, 10_000) },
  }),
  'the words of a query': (text) => search({ text: text.slice(0, 500), highlight: true, limit: 20 }),
  'a filter of a query': (text) => search({ filter: { name: { contains: text.slice(0, 500) } } }),
  'the name of a field in a query': (text) => search({ filter: { not: { [text]: 'x' } } }),
  'a facet': (text) => search({ facets: [text.slice(0, 256)] }),
  'a parameter of a saved query': (text) => ({
    path: `/api/queries/magazine/saved/${preparedQuery}/results?parameters[words]=${encodeURIComponent(text.slice(0, 500))}`,
  }),
}

let server: FuzzServer
beforeAll(async () => {
  server = await openFuzzServer()
})
afterAll(() => server.close())

describe.each(Object.entries(locations))('a long text as %s', (_, location) => {
  it('is processed in linear time, whatever it consists of', async () => {
    const slow: string[] = []
    for (const mark of state) {
      const ms = await timeOf(location(mark.repeat(length / mark.length)))
      if (ms > longest) slow.push(`${JSON.stringify(mark)}: ${Math.round(ms)} ms`)
    }
    expect(slow).toEqual([])
  })
})

describe('long texts with search hits', () => {
  it('are highlighted in linear time', async () => {
    const bodies = state.map((mark) => `long ${mark.repeat(length / mark.length)} long`)
    for (const body of bodies) await timeOf(article({ fields: { jsonValue: { body }, tags: [body] } }))
    const ms = await timeOf(search({ text: 'long', highlight: true, limit: 20 }))
    expect(ms).toBeLessThan(longest)
  })
})

describe('a long text as a Markdown field', () => {
  it('is processed in linear time, whatever it consists of', { timeout: 60_000 }, async () => {
    const ms = await timeOf(article({ fields: { source: '<'.repeat(60_000) } }))
    expect(ms).toBeLessThan(longest)
  })
})

async function timeOf({ path, body }: ReturnType<Location>): Promise<number> {
  const connection = new Connection(server.url)
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${server.token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  const start = performance.now()
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
  const { status } = await connection.send({ bytes, timeout: 60_000 })
  connection.close()
  expect(status).toBeLessThan(500)
  return performance.now() - start
}
