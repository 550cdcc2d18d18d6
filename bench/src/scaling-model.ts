/** CPU time of one request, in ms. */
export interface RequestCost {
  /** CPU time of the server, which uses one core. */
  readonly serverMs: number
  /** CPU time of its database connections. */
  readonly databaseMs: number
}

/** Servers with one core each, and the database cores that they share. */
export interface Machines {
  readonly servers: number
  readonly databaseCores: number
}

/**
 * The highest number of reads per second, when either the servers' or the database's cores are
 * saturated. The model assumes a constant cost per request and no waiting for anything but a core.
 */
export function readsPerSecond(cost: RequestCost, { servers, databaseCores }: Machines): number {
  return Math.min((servers * 1000) / cost.serverMs, (databaseCores * 1000) / cost.databaseMs)
}

/**
 * The number of servers that saturate the cores of a database. More servers do not add throughput.
 */
export function serversOf(cost: RequestCost, databaseCores: number): number {
  return Math.ceil((databaseCores * cost.serverMs) / cost.databaseMs)
}

/** The machine sizes in the table. */
const reported = { servers: [1, 2, 4, 8, 16], databaseCores: [2, 4, 8] }

/**
 * A Markdown table of requests per second by servers and database cores, with the number of servers
 * that saturate the database.
 */
export function modelTable(cost: RequestCost): string {
  const { servers: counts, databaseCores: cores } = reported
  const rates = counts.map((servers) => [
    String(servers),
    ...cores.map((databaseCores) => roundTo100(readsPerSecond(cost, { servers, databaseCores }))),
  ])
  const full = [
    'servers that saturate it',
    ...cores.map((databaseCores) => String(serversOf(cost, databaseCores))),
  ]
  const head = ['servers', ...cores.map((databaseCores) => `database with ${databaseCores} cores`)]
  return [head, head.map(() => '---'), ...rates, full].map(row).join('\n')
}

function roundTo100(rate: number): string {
  return String(Math.round(rate / 100) * 100)
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
