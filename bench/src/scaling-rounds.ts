import { inRounds, median, sendSound } from './compare.ts'
import { cpuTimesOf, usedBetween } from './cpu-time.ts'
import type { Load } from './load.ts'
import { pidOf, type SharedServers } from './shared-servers.ts'

/** The servers, limits and connections of a measurement. */
export interface Setting {
  /** How many of the servers receive requests, counted from the first. */
  readonly servers: number
  /** The core share that each server is limited to; null means no limit. */
  readonly share: number | null
  readonly connections: number
}

/** The measurement of one round. */
export interface Sample {
  /** Answers per second. */
  readonly rate: number
  /** CPU time per answer in ms, of the servers and of their database connections. */
  readonly serverMs: number
  readonly databaseMs: number
}

/** The samples of a setting, one per round. */
export interface Row {
  readonly setting: Setting
  readonly accepted: readonly Sample[]
}

export type Requests = Pick<Load, 'requests' | 'durationMs'>

/**
 * Measures every setting in rounds, after a warm-up of all servers. `requests` is called anew each
 * time.
 */
export async function takeAll(
  shared: SharedServers,
  { settings, rounds, warmUps = 3 }: { settings: readonly Setting[]; rounds: number; warmUps?: number },
  requests: () => Requests,
): Promise<Row[]> {
  const all = { servers: shared.servers.length, share: null, connections: 32 }
  for (let time = 0; time < warmUps; time++) await take(shared, all, requests())
  const accepted = await inRounds(
    rounds,
    settings.map((setting) => () => take(shared, setting, requests())),
  )
  return settings.map((setting, index) => ({ setting, accepted: accepted[index] ?? [] }))
}

// Servers with a core limit are measured for longer: one garbage collection takes a tenth of their
// CPU time in 2 s.
const longer = 2

async function take(shared: SharedServers, setting: Setting, requests: Requests): Promise<Sample> {
  const asked = shared.servers.slice(0, setting.servers)
  const [first, ...others] = asked.map(({ port }) => port)
  if (first === undefined) throw new Error('no server is selected')
  const look = async () => ({
    servers: cpuTimesOf(asked.map(pidOf)),
    database: await shared.databaseTimes(),
  })
  shared.share?.hold(setting.share)
  const before = await look()
  const { connections, share } = setting
  const durationMs = requests.durationMs * (share === null ? 1 : longer)
  const measured = await sendSound({ ...requests, port: first, others, connections, durationMs })
  const after = await look()
  const answers = Object.values(measured.statuses).reduce((sum, count) => sum + count, 0)
  return {
    rate: measured.rate,
    serverMs: usedBetween(before.servers, after.servers) / answers,
    databaseMs: usedBetween(before.database, after.database) / answers,
  }
}

/** Errors: there is no row for this setting. */
export function rowOf(rows: readonly Row[], wanted: Setting): Row {
  const found = rows.find(
    ({ setting }) =>
      setting.servers === wanted.servers &&
      setting.share === wanted.share &&
      setting.connections === wanted.connections,
  )
  if (!found) throw new Error(`not measured: ${JSON.stringify(wanted)}`)
  return found
}

/** The median over the rounds of a row. */
export function middleOf({ accepted }: Row, of: keyof Sample): number {
  return median(accepted.map((each) => each[of]))
}
