import { inRounds, median, sendSound } from './compare.ts'
import { cpuTimesOf, usedBetween } from './cpu-time.ts'
import type { Load } from './load.ts'
import { pidOf, type SharedServers } from './shared-servers.ts'

/** How servers are asked. */
export interface Setting {
  /** How many of them, the first ones. */
  readonly servers: number
  /** The share of a core that each is held to; null: each takes what it gets. */
  readonly share: number | null
  readonly connections: number
}

/** What came of one round. */
export interface Sample {
  /** Answers a second. */
  readonly rate: number
  /** CPU time of one answer, in ms: of the servers, and of their connections at the database. */
  readonly serverMs: number
  readonly databaseMs: number
}

/** What came of a setting, round by round. */
export interface Row {
  readonly setting: Setting
  readonly accepted: readonly Sample[]
}

/** What is sent. */
export type Requests = Pick<Load, 'requests' | 'durationMs'>

/** Every setting, in rounds, once all servers have compiled what they run. `requests` are made anew each time. */
export async function takeAll(
  shared: SharedServers,
  { settings, rounds }: { settings: readonly Setting[]; rounds: number },
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

const warmUps = 3

// Who has little of a core is asked for longer: one collection of garbage is a tenth of what it does in 2 s.
const longer = 2

async function take(shared: SharedServers, setting: Setting, requests: Requests): Promise<Sample> {
  const asked = shared.servers.slice(0, setting.servers)
  const [first, ...others] = asked.map(({ port }) => port)
  if (first === undefined) throw new Error('no server is asked')
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

/** The row of a setting. Errors: when there is none. */
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

/** The middle of what the rounds of a row gave. */
export function middleOf({ accepted }: Row, of: keyof Sample): number {
  return median(accepted.map((each) => each[of]))
}
