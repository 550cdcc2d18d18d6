import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { systemIdentity, type Quire } from '@quire/core'
import { article } from './articles.ts'
import { openWithFiles } from './asset-data.ts'
import { interleaved, median, ratioLine, type Figure } from './compare.ts'
import { createBare } from './databases.ts'
import type { Load } from './load.ts'
import { request, startBare, startQuire, stopServer, type Running } from './servers.ts'

/** How many pages are published, and how long they are served. */
export interface SiteEffort {
  readonly rounds: number
  readonly durationMs: number
  readonly pages: number
}

const slug = 'bench'
const onSections = 20

/** The cost of publishing a site, publishing it again, and serving it. */
export async function siteLines(folder: string, effort: SiteEffort): Promise<Figure[]> {
  const data = join(folder, 'site')
  mkdirSync(data)
  writeFileSync(join(data, 'server.key'), randomBytes(32), { mode: 0o600 })
  const engine = await openWithFiles(data)
  const api = engine.as(systemIdentity('bench'))
  const site = await fillSite(api, effort.pages)
  engine.work()
  const lines = [...(await firstLines(engine, site, effort)), await againLine(engine, site, effort)]
  const { bytes } = await pageOf(api, effort)
  await engine.close()
  return [...lines, await servedLine(folder, { data, bytes, effort })]
}

interface BenchSite {
  readonly siteId: string
  readonly itemIds: readonly string[]
}

/** Creates articles of 3 KB with a page each, in the sections of a public repository. */
async function fillSite(api: Api, count: number): Promise<BenchSite> {
  await api.repositories.create({ name: 'bench', public: true })
  await api.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
      { name: 'category', kind: 'text' },
      { name: 'price', kind: 'number' },
    ],
  })
  const { id: siteId } = await api.sites.create({ configId: 'bench', name: 'Bench', slug })
  const sections: string[] = []
  for (let index = 0; index < onSections; index++)
    sections.push((await api.sections.create({ configId: 'bench', siteId, name: `Section ${index}` })).id)
  const itemIds = await inBatches(count, async (index) => {
    const { id } = await api.items.create(article(index))
    await api.items.publish({ configId: 'bench', id })
    const sectionId = sections[index % onSections] ?? ''
    const name = `Article ${index}`
    await api.pages.create({
      configId: 'bench',
      siteId,
      sectionId,
      name,
      slug: `article-${index}`,
      itemId: id,
    })
    return id
  })
  return { siteId, itemIds }
}

async function inBatches<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let start = 0; start < count; start += 50) {
    const batch = Array.from({ length: Math.min(50, count - start) }, (_, index) => work(start + index))
    done.push(...(await Promise.all(batch)))
  }
  return done
}

/** Publishes the site and waits for the end. Returns the duration in seconds. */
async function publish(engine: Quire, { siteId }: BenchSite, full: boolean): Promise<number> {
  const api = engine.as(systemIdentity('bench'))
  const started = performance.now()
  const { id: jobId } = await api.sites.publish({ configId: 'bench', siteId, full })
  await engine.settled()
  const seconds = (performance.now() - started) / 1000
  const { state, error } = await api.queue.get({ jobId })
  if (state !== 'succeeded') throw new Error(`the site was not published: ${error}`)
  return seconds
}

/** Renders every page, for the first time and again. */
async function firstLines(engine: Quire, site: BenchSite, { rounds, pages }: SiteEffort): Promise<Figure[]> {
  await publish(engine, site, true)
  const rates: number[] = []
  const memory: number[] = []
  const delays: number[] = []
  for (let round = 0; round < rounds; round++) {
    const watch = watchProcess()
    rates.push(pages / (await publish(engine, site, true)))
    const seen = watch.stop()
    memory.push(seen.memoryMb)
    delays.push(seen.delayP99)
  }
  const detail = `${pages} pages of 3 KB of Markdown, in an otherwise idle process`
  return [
    { what: 'pages published', ...spread(rates), unit: '/s', target: 500, bound: 'atLeast', detail },
    {
      what: 'memory while a site is published',
      ...spread(memory),
      unit: 'MB',
      target: 200,
      bound: 'atMost',
      detail: 'peak above the level before',
    },
    {
      what: 'delay of the event loop while a site is published, p99',
      ...spread(delays),
      unit: 'ms',
      target: 50,
      bound: 'atMost',
      detail: 'of 5 ms timers',
    },
  ]
}

/** Changes one item and measures the time until its page is served. */
async function againLine(engine: Quire, site: BenchSite, { rounds, pages }: SiteEffort): Promise<Figure> {
  const api = engine.as(systemIdentity('bench'))
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const id = site.itemIds[round * 7] ?? ''
    await api.items.update({ configId: 'bench', id, fields: { title: `Changed ${round}` } })
    await api.items.publish({ configId: 'bench', id })
    times.push((await publish(engine, site, false)) * 1000)
  }
  return {
    what: 'site published again with one item changed',
    ...spread(times),
    unit: 'ms',
    target: 1000,
    bound: 'atMost',
    detail: `of ${pages} pages`,
  }
}

function spread(values: readonly number[]): Pick<Figure, 'value' | 'min' | 'max'> {
  return { value: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** Samples the memory and timer delays of this process until it is stopped. */
function watchProcess(): { stop(): { memoryMb: number; delayP99: number } } {
  const before = process.memoryUsage.rss()
  let most = before
  const delays: number[] = []
  const stepMs = 5
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    delays.push(Math.max(0, now - last - stepMs))
    last = now
    most = Math.max(most, process.memoryUsage.rss())
  }, stepMs)
  return {
    stop() {
      clearInterval(timer)
      const sorted = delays.toSorted((a, b) => a - b)
      const delayP99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
      return { memoryMb: (most - before) / 1_000_000, delayP99 }
    },
  }
}

async function pageOf(api: Api, { pages }: SiteEffort): Promise<{ bytes: Uint8Array }> {
  const page = await api.sites.serve({ siteSlug: slug, path: pathOf(pages - 1) })
  return { bytes: await page.bytes() }
}

function pathOf(index: number): string {
  return `section-${index % onSections}/article-${index}/`
}

interface Served {
  readonly data: string
  /** The body of a page. */
  readonly bytes: Uint8Array
  readonly effort: SiteEffort
}

const connections = 32

/**
 * Pages as the service serves them, compared with a bare route that streams one of them from a
 * file.
 */
async function servedLine(folder: string, { data, bytes, effort }: Served): Promise<Figure> {
  const files = join(folder, 'bare-pages')
  mkdirSync(files)
  writeFileSync(join(files, 'page.html'), bytes)
  const database = join(folder, 'bare-pages.db')
  createBare(database).close()
  const quire = await startQuire(data)
  const bare = await startBare(database, { files })
  const paths = Array.from(
    { length: 1000 },
    (_, index) => `/sites/${slug}/${pathOf((index * 7919) % effort.pages)}`,
  )
  try {
    const pairs = await interleaved(
      effort.rounds,
      () => loadOf(bare, ['/files/page.html'], effort),
      () => loadOf(quire, paths, effort),
    )
    return ratioLine(
      'pages of a site served, relative to a bare static route',
      pairs.map(([bareLoad, quireLoad]) => quireLoad.rate / bareLoad.rate),
      {
        target: 0.7,
        bound: 'atLeast',
        detail: `${Math.round(median(pairs.map(([, one]) => one.rate)))}/s of ${Math.round(median(pairs.map(([one]) => one.rate)))}/s, pages of ${Math.round(bytes.length / 1000)} KB`,
      },
    )
  } finally {
    await stopServer(quire)
    await stopServer(bare)
  }
}

function loadOf(server: Running, paths: readonly string[], { durationMs }: SiteEffort): Load {
  return {
    port: server.port,
    requests: paths.map((path) => request(server, `GET ${path}`)),
    connections,
    durationMs,
  }
}
