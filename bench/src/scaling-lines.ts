import { location, testDatabase } from '../../test/services/postgres.ts'
import { categories, scatteredSlugs } from './articles.ts'
import { ratioLine, spread, type Figure } from './compare.ts'
import { listPath, type Effort } from './http-lines.ts'
import { newArticle } from './limit-lines.ts'
import { modelTable, type RequestCost } from './scaling-model.ts'
import { middleOf, rowOf, takeAll, type Requests, type Row, type Setting } from './scaling-rounds.ts'
import { mergeBesideLines } from './scaling-merge-lines.ts'
import { request, type Running } from './servers.ts'
import { openSharedServers, type SharedServers } from './shared-servers.ts'

/** Durations, rounds and numbers of items. */
export type ScalingEffort = Pick<Effort, 'rounds' | 'durationMs' | 'items'>

const counts = [1, 2, 4] as const

// The share of a core per server. Four servers leave 1.4 of two cores to the database and the load
// generator.
const share = 0.15

const usual = 32

// Creates wait for a commit together. With few connections, one server would commit more of them
// together than each of four.
const many = 128

// Each of four servers gets a quarter of the warm-up, and a create is ten times as much code as a
// read.
const untilCompiled = 20
const ofCreates = [8, 32, 64] as const

/**
 * The throughput of several servers on one PostgreSQL database relative to one server, and the CPU
 * time of their requests. Empty without a database.
 */
export async function scalingLines(folder: string, effort: ScalingEffort): Promise<Figure[]> {
  if (testDatabase === null) {
    process.stderr.write(`Several servers on one database are not measured: ${location}\n`)
    return []
  }
  const shared = await openSharedServers(folder, { servers: 4, items: effort.items })
  if (!shared.share)
    process.stderr.write(
      'Servers are not limited to a share of a core, because no control group can be created here.\n',
    )
  try {
    return await branchesOf(shared, effort)
  } finally {
    await shared.close()
  }
}

async function branchesOf(shared: SharedServers, effort: ScalingEffort): Promise<Figure[]> {
  const take = (
    settings: readonly Setting[],
    requests: (effort: ScalingEffort) => Requests,
    warmUps?: number,
  ) =>
    takeAll(shared, { settings, rounds: effort.rounds, ...(warmUps && { warmUps }) }, () => requests(effort))
  const [server] = shared.servers
  if (!server) throw new Error('no server was started')
  const free = settingsOf(null, usual)
  const both = shared.share ? [...settingsOf(share, usual), ...free] : free
  // Creates come last, because they make lists longer.
  const reads = await take(both, readsOf(server))
  const lists = await take(both, listsOf(server))
  const creates = await take(
    [
      ...(shared.share ? settingsOf(share, many) : []),
      ...ofCreates.flatMap((connections) => settingsOf(null, connections)),
    ],
    createsOf(server),
    untilCompiled,
  )
  const tables = [reads, lists].map((rows) => modelTable(costOf(rows)))
  process.stderr.write(`Reads and lists per second according to the model:\n\n${tables.join('\n\n')}\n\n`)
  return [
    ...ratioLines('reads by slug', reads, { two: 1.7 }),
    ...ratioLines('lists of 25', lists, { two: 1.7 }),
    ...ratioLines('creates', creates, { two: 1.8, four: 3.2, heldConnections: many }),
    rateLine('creates per second of one server over PostgreSQL', creates, 1000),
    costLine('CPU time of a read by slug over PostgreSQL', reads),
    costLine('CPU time of a list of 25 over PostgreSQL', lists, 1),
    costLine('CPU time of a create over PostgreSQL', creates, 1.2),
    ...(await mergeBesideLines(shared.servers)),
  ]
}

function settingsOf(held: number | null, connections: number): Setting[] {
  return counts.map((servers) => ({ servers, share: held, connections }))
}

function readsOf(server: Running) {
  return ({ items, durationMs }: ScalingEffort): Requests => ({
    requests: scatteredSlugs(items, 5000).map((slug) => request(server, `GET /api/items/bench/slug/${slug}`)),
    durationMs,
  })
}

function listsOf(server: Running) {
  const requests = categories.map((category) => request(server, `GET ${listPath(category)}`))
  return ({ durationMs }: ScalingEffort): Requests => ({ requests, durationMs })
}

function createsOf(server: Running) {
  const requests = [request(server, 'POST /api/items', newArticle)]
  return ({ durationMs }: ScalingEffort): Requests => ({ requests, durationMs })
}

/** The least ratios of servers that are limited to a share of a core. */
interface Least {
  readonly two: number
  readonly four?: number
  /** The connections of these. Default: as usual. */
  readonly heldConnections?: number
}

function atLeast(target: number | undefined): Pick<Figure, 'target' | 'bound'> {
  return target === undefined ? {} : { target, bound: 'atLeast' }
}

/**
 * Several servers relative to one: limited to a share of a core, which simulates one core per
 * server; and sharing the cores of this machine.
 */
function ratioLines(what: string, rows: readonly Row[], least: Least): Figure[] {
  const held = rows.filter(({ setting }) => setting.share !== null)
  const free = rows.filter(({ setting }) => setting.share === null)
  const percent = `each with ${share * 100} % of a core`
  return [
    ...(held.length === 0
      ? []
      : [
          ratioLine(
            `${what}, two servers on one database, relative to one`,
            ratiosOf(held, 2, least.heldConnections),
            {
              ...atLeast(least.two),
              detail: `${percent}; ${ratesText(held)}`,
            },
          ),
          ratioLine(
            `${what}, four servers on one database, relative to one`,
            ratiosOf(held, 4, least.heldConnections),
            {
              ...atLeast(least.four),
              detail: `${percent}; ${ratesText(held)}`,
            },
          ),
        ]),
    ratioLine(`${what}, two servers on the cores of this machine, relative to one`, ratiosOf(free, 2), {
      detail: `shared with the database and the load generator; ${ratesText(free)}`,
    }),
  ]
}

function ratiosOf(rows: readonly Row[], servers: number, connections = usual): number[] {
  const { share: held = null } = rows[0]?.setting ?? {}
  const rates = (count: number) =>
    rowOf(rows, { servers: count, share: held, connections }).accepted.map(({ rate }) => rate)
  const ones = rates(1)
  return rates(servers).map((rate, round) => rate / (ones[round] ?? Number.NaN))
}

/** `32 connections: 900/s, 1750/s, 3400/s by 1, 2, 4 servers` */
function ratesText(rows: readonly Row[]): string {
  const byConnections = Map.groupBy(rows, ({ setting }) => setting.connections)
  return [...byConnections]
    .map(([connections, some]) => {
      const rates = some.map((row) => `${Math.round(middleOf(row, 'rate'))}/s`)
      return `${connections} connections: ${rates.join(', ')} by ${counts.join(', ')} servers`
    })
    .join('; ')
}

/** The row for one server without a core limit. */
function costRow(rows: readonly Row[]): Row {
  return rowOf(rows, { servers: 1, share: null, connections: usual })
}

function costOf(rows: readonly Row[]): RequestCost {
  const row = costRow(rows)
  return { serverMs: middleOf(row, 'serverMs'), databaseMs: middleOf(row, 'databaseMs') }
}

function rateLine(what: string, rows: readonly Row[], target: number): Figure {
  const { accepted } = costRow(rows)
  return {
    what,
    unit: '/s',
    ...spread(accepted.map(({ rate }) => rate)),
    target,
    bound: 'atLeast',
    detail: `on the cores of this machine, shared with the database and the load generator; ${usual} connections`,
  }
}

function costLine(what: string, rows: readonly Row[], most?: number): Figure {
  const { accepted } = costRow(rows)
  const text = ({ servers, share: held, connections }: Setting) =>
    `${servers} ${held === null ? '' : 'held, '}${connections}`
  const each = rows.map(
    (row) =>
      `${text(row.setting)}: ${middleOf(row, 'serverMs').toFixed(3)} + ${middleOf(row, 'databaseMs').toFixed(3)}`,
  )
  return {
    what,
    unit: 'ms',
    ...spread(accepted.map(({ serverMs, databaseMs }) => serverMs + databaseMs)),
    ...(most !== undefined && { target: most, bound: 'atMost' }),
    detail: `server + database, by number of servers and connections; ${each.join('; ')}`,
  }
}
