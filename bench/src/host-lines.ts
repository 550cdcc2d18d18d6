import { cpSync } from 'node:fs'
import { administratorToken } from '../../test/server/api-access.ts'
import { inRounds, interleaved, median, rateOf, ratioLine, sendSound, type Figure } from './compare.ts'
import { cpuTimesOf, usedBetween } from './cpu-time.ts'
import { publishedCopy } from './databases.ts'
import { listLoad, readLoad, type Effort } from './http-lines.ts'
import type { Load } from './load.ts'
import { editorToken, spawnQuire, startQuire, startScript, stopServer, type Running } from './servers.ts'

/** Items that are published for the reads with cache tags. */
const publishedItems = 2000

/** What the handler for every framework costs beside the plugin, and cache tags beside none. */
export async function hostLines(data: string, effort: Effort): Promise<Figure[]> {
  return [...(await handlerLines(data, effort)), await cacheTagLine(data, effort)]
}

async function handlerLines(data: string, effort: Effort): Promise<Figure[]> {
  const plugin = await startHost(data, 'plugin')
  const handler = await startHost(data, 'handler')
  try {
    const reads = (server: Running) => readLoad(server, '/api/items/bench/slug', effort)
    const judged = { target: 0.9, bound: 'atLeast' } as const
    return [
      await compared('reads by slug through the handler in plain Node, relative to the plugin', judged, {
        effort,
        one: () => reads(plugin),
        other: () => reads(handler),
      }),
      await compared('lists through the handler in plain Node, relative to the plugin', judged, {
        effort,
        one: () => listLoad(plugin, effort),
        other: () => listLoad(handler, effort),
      }),
    ]
  } finally {
    await Promise.all([plugin, handler].map(stopServer))
  }
}

/**
 * By CPU time, because two processors are not enough to see 3 % in the rate. Control: two services
 * without tags differ by 1 %.
 */
async function cacheTagLine(data: string, effort: Effort): Promise<Figure> {
  const published = await publishedCopy(data, publishedItems)
  const copy = `${published}-tags`
  cpSync(published, copy, { recursive: true })
  const without = await startQuire(published)
  const tagging = await spawnQuire(copy, 0, ['--cache-tags=Cache-Tag'])
  const within = { ...tagging, token: await editorToken(`http://127.0.0.1:${tagging.port}`) }
  const read = (server: Running) => () =>
    microsecondsPerAnswer(
      server,
      readLoad(server, '/api/published/items/bench/slug', { ...effort, items: publishedItems }),
    )
  try {
    const [plain = [], tagged = []] = await inRounds(effort.rounds, [read(without), read(within)])
    return ratioLine(
      'CPU time of a published read with cache tags, relative to one without',
      tagged.map((one, round) => one / (plain[round] ?? Number.NaN)),
      {
        target: 1.03,
        bound: 'atMost',
        detail: `${median(tagged).toFixed(1)} µs against ${median(plain).toFixed(1)} µs`,
      },
    )
  } finally {
    await Promise.all([without, within].map(stopServer))
  }
}

/** The CPU time of a server, divided by the answers that it gave. */
async function microsecondsPerAnswer({ process: { pid = 0 } }: Running, load: Load): Promise<number> {
  const before = cpuTimesOf([pid])
  const { statuses } = await sendSound(load)
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return (usedBetween(before, cpuTimesOf([pid])) * 1000) / answers
}

async function compared(
  what: string,
  judged: Required<Pick<Figure, 'target' | 'bound'>>,
  { effort, one, other }: { effort: Effort; one: () => Load; other: () => Load },
): Promise<Figure> {
  const pairs = await interleaved(effort.rounds, one, other)
  const detail = `${rateOf(pairs.map(([, b]) => b))}/s of ${rateOf(pairs.map(([a]) => a))}/s`
  return ratioLine(
    what,
    pairs.map(([a, b]) => b.rate / a.rate),
    { ...judged, detail },
  )
}

/** Starts an app with the engine on a copy of a data folder. */
async function startHost(data: string, way: 'plugin' | 'handler'): Promise<Running> {
  const copy = `${data}-${way}`
  cpSync(data, copy, { recursive: true })
  const { port, account, process } = await startScript<HostStarted>(
    new URL('./host-server.ts', import.meta.url),
    [copy, way],
  )
  return { port, token: await administratorToken(`http://127.0.0.1:${port}`, account), process }
}

interface HostStarted {
  readonly port: number
  readonly account: { readonly id: string; readonly secret: string }
}
