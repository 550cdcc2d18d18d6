import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { article, articleFields, type Filling } from './articles.ts'
import { interleaved, median, ratioLine, type Figure } from './compare.ts'
import { fillQuire } from './databases.ts'
import { type Effort, listLoad, readLoad } from './http-lines.ts'
import type { Load } from './load.ts'
import { request, startQuire, stopServer, type Running } from './servers.ts'

/** How many times as many rounds the 99th percentile of few requests takes. */
const TAIL_ROUNDS = 3

const codes = ['en', 'de', 'fr', 'es', 'ar']

/** How reads of a repository with five locales compare with those of one without. */
export async function localeLines(folder: string, plain: string, effort: Effort): Promise<Figure[]> {
  const localized = await fillQuire(mkdtempSync(join(folder, 'locales-')), effort.items, inLocales)
  const without = await startQuire(plain)
  const within = await startQuire(localized)
  const compared = (load: (server: Running) => Load, rounds = effort.rounds) =>
    interleaved(
      rounds,
      () => load(without),
      () => load(within),
    )
  const one =
    (path: string) =>
    (server: Running): Load => ({
      port: server.port,
      requests: [request(server, `GET ${path}`)],
      connections: 32,
      durationMs: effort.durationMs,
    })
  try {
    const reads = await compared((server) => readLoad(server, '/api/items/bench/slug', effort))
    const lists = await compared((server) => listLoad(server, effort))
    const search = one('/api/items/bench?text=article%201&limit=25&skipCount=true')
    // Of some thousand searches, the slowest hundredth varies much more than a rate.
    const searches = await compared(
      (server) => ({ ...search(server), connections: 4 }),
      TAIL_ROUNDS * effort.rounds,
    )
    const rates = (pairs: typeof reads) =>
      `${median(pairs.map(([a]) => a.rate)).toFixed(0)} → ${median(pairs.map(([, b]) => b.rate)).toFixed(0)} requests/s`
    return [
      ratioLine(
        'reads by slug in a repository of 5 locales, relative to one without',
        reads.map(([a, b]) => b.rate / a.rate),
        {
          target: 0.9,
          bound: 'atLeast',
          detail: rates(reads),
        },
      ),
      ratioLine(
        'lists in a repository of 5 locales, relative to one without',
        lists.map(([a, b]) => b.rate / a.rate),
        {
          target: 0.8,
          bound: 'atLeast',
          detail: rates(lists),
        },
      ),
      ratioLine(
        'p99 of a search in a repository of 5 locales, relative to one without',
        searches.map(([a, b]) => b.p99 / a.p99),
        {
          target: 1.3,
          bound: 'atMost',
          detail: rates(searches),
        },
      ),
    ]
  } finally {
    await Promise.all([stopServer(without), stopServer(within)])
  }
}

/** Articles whose titles and texts are in five languages. */
const inLocales: Filling = {
  settings: {
    locales: {
      default: 'en',
      list: codes.map((code) => ({ code, name: code, ...(code !== 'en' && { fallback: 'en' }) })),
    },
  },
  fields: articleFields.map((field) => ({ ...field, localized: ['title', 'body'].includes(field.name) })),
  make: localizedArticle,
}

function localizedArticle(index: number) {
  const { fields, ...rest } = article(index)
  const { title, body, ...shared } = fields
  const each = (text: string) => Object.fromEntries(codes.map((code) => [code, text]))
  return { ...rest, locale: '*', fields: { ...shared, title: each(title), body: each(body) } }
}
