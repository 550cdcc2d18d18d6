import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import { callApi } from '../../test/server/api-access.ts'
import { openEngine } from './account.ts'
import { interleaved, median, ratioLine, type Figure } from './compare.ts'
import { listPath, readLoad, type Effort } from './http-lines.ts'
import { openLoad, type Load } from './load.ts'
import { request, startQuire, stopServer, type Running } from './servers.ts'

/**
 * The cost of packages: merging a large one while others read, reading through one, and creating
 * one.
 */
export async function packageLines(files: { few: string; many: string }, effort: Effort): Promise<Figure[]> {
  const merges = Math.min(effort.rounds, 3)
  await seedPackages(files.many, merges)
  const many = await startQuire(files.many)
  const few = await startQuire(files.few)
  try {
    return [
      ...(await readThroughLines(many, effort)),
      await creationLine(few, many),
      ...(await mergeLines(many, merges)),
    ]
  } finally {
    await Promise.all([stopServer(many), stopServer(few)])
  }
}

const sizes = { read: 1000, merge: 5000 }

/**
 * Creates a package of 1 000 changes to read through, and several of 5 000 changes to merge. They
 * change different items; each change sets another title.
 */
async function seedPackages(data: string, merges: number): Promise<void> {
  const quire = await openEngine(data)
  const api = quire.as(systemIdentity('bench'))
  const ids = await someIds(api, sizes.merge * merges)
  await seedPackage(api, 'read', ids.slice(0, sizes.read))
  for (let index = 0; index < merges; index++)
    await seedPackage(api, `merge-${index}`, ids.slice(index * sizes.merge, (index + 1) * sizes.merge))
  await quire.close()
}

/** The ids of some items. */
export async function someIds(api: Api, count: number): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  while (ids.length < count) {
    const page = await api.items.list({
      configId: 'bench',
      limit: 1000,
      select: ['id'],
      sort: 'id',
      skipCount: true,
      ...(cursor !== undefined && { cursor }),
    })
    ids.push(...page.items.flatMap(({ id }) => id ?? []))
    cursor = page.nextCursor
  }
  return ids
}

/** Creates a package that changes the titles of items. */
export async function seedPackage(api: Api, packageName: string, ids: readonly string[]): Promise<void> {
  await api.packages.create({ repo: 'bench', name: packageName })
  for (let start = 0; start < ids.length; start += 50) {
    const batch = ids.slice(start, start + 50)
    await Promise.all(
      batch.map((id) =>
        api.items.update({
          configId: 'bench',
          packageName,
          id,
          fields: { title: `Title of ${packageName}` },
        }),
      ),
    )
  }
}

/** A read by slug and a list of 25 through a package of 1 000 changes, relative to main. */
async function readThroughLines(server: Running, effort: Effort): Promise<Figure[]> {
  const through = 'bench/_package/read'
  const list = (repository: string): Load => ({
    port: server.port,
    requests: Array.from({ length: 20 }, (_, index) =>
      request(server, `GET ${listPath(`category-${index}`).replace('/bench?', `/${repository}?`)}`),
    ),
    connections: 32,
    durationMs: effort.durationMs,
  })
  const reads = await interleaved(
    effort.rounds,
    () => readLoad(server, '/api/items/bench/slug', effort),
    () => readLoad(server, `/api/items/${through}/slug`, effort),
  )
  const lists = await interleaved(
    effort.rounds,
    () => list('bench'),
    () => list(through),
  )
  return [
    throughLine('read through a package of 1 000 changes, relative to main', reads),
    throughLine('list through a package of 1 000 changes, relative to main', lists),
  ]
}

function throughLine(what: string, pairs: Awaited<ReturnType<typeof interleaved>>): Figure {
  const rate = (side: 0 | 1) => Math.round(median(pairs.map((pair) => pair[side].rate)))
  return ratioLine(
    what,
    pairs.map(([main, through]) => through.rate / main.rate),
    { target: 0.7, bound: 'atLeast', detail: `${rate(1)}/s of ${rate(0)}/s on main` },
  )
}

const creations = 200

/** Creating an empty package in a large repository, relative to a small one. */
async function creationLine(few: Running, many: Running): Promise<Figure> {
  const ratios: number[] = []
  for (let round = 0; round < 5; round++) {
    const small = await creationTime(few, `few-${round}`)
    ratios.push((await creationTime(many, `many-${round}`)) / small)
  }
  return ratioLine('create a package in a large repository, relative to a small one', ratios.slice(1), {
    target: 1.2,
    bound: 'atMost',
    detail: 'p50 of 200 creations, one at a time',
  })
}

async function creationTime(server: Running, prefix: string): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < creations; index++) {
    const started = performance.now()
    await post(server, '', { name: `${prefix}-${index}` })
    times.push(performance.now() - started)
  }
  return median(times)
}

// 32 readers that each pause 10 ms after an answer: about a third of the service's capacity.
const readers = { connections: 32, pauseMs: 10, durationMs: 120_000 }
const settleMs = 2000

/**
 * Merges 5 000 changes while others read. Measures the duration, the effect on the reads, and how
 * long the event loop is blocked.
 */
async function mergeLines(server: Running, merges: number): Promise<Figure[]> {
  const load = {
    ...readLoad(server, '/api/items/bench/slug', { rounds: 1, durationMs: 0, items: 1000, many: 0 }),
    ...readers,
  }
  const rounds: { seconds: number; ratio: number; wait: number }[] = []
  for (let index = 0; index < merges; index++) {
    const before = openLoad(load)
    await wait(settleMs)
    const alone = await before.stop()
    const beside = openLoad(load)
    await wait(settleMs / 4)
    const started = performance.now()
    const { changes } = await post<{ changes: unknown[] }>(server, `/merge-${index}/merge`, {})
    const seconds = (performance.now() - started) / 1000
    const during = await beside.stop()
    if (changes.length !== sizes.merge) throw new Error(`${changes.length} changes were merged`)
    rounds.push({ seconds, ratio: during.rate / alone.rate, wait: during.max })
  }
  const figureOf = (
    what: string,
    of: 'seconds' | 'ratio' | 'wait',
    rest: Pick<Figure, 'unit' | 'target' | 'bound' | 'detail'>,
  ): Figure => {
    const values = rounds.map((round) => round[of])
    return { what, value: median(values), min: Math.min(...values), max: Math.max(...values), ...rest }
  }
  const detail = '5 000 changed titles; 32 readers, each pausing 10 ms after an answer'
  return [
    figureOf('merge of 5 000 changes while others read', 'seconds', {
      unit: 's',
      target: 5,
      bound: 'atMost',
      detail,
    }),
    figureOf('reads during the merge, relative to before', 'ratio', {
      unit: '×',
      target: 0.7,
      bound: 'atLeast',
      detail: '',
    }),
    figureOf('longest read during the merge', 'wait', {
      unit: 'ms',
      target: 250,
      bound: 'atMost',
      detail: 'an upper bound for how long the event loop was blocked',
    }),
  ]
}

/** Calls an operation of packages. */
export function post<T>(server: Running, path: string, body: object): Promise<T> {
  const call = { url: `http://127.0.0.1:${server.port}`, token: server.token }
  return callApi<T>(call, 'POST', { path: `/api/content/management/packages/bench${path}`, body })
}
