/** CPU time of one request, in ms. */
export interface RequestCost {
  /** Of the server, which uses one core. */
  readonly serverMs: number
  /** Of its connections at the database. */
  readonly databaseMs: number
}

/** Servers with a core each, and the cores of the database that they share. */
export interface Machines {
  readonly servers: number
  readonly databaseCores: number
}

/**
 * Requests a second that read, when no core is left: of the servers, or of the database, whichever is used up first. Each request costs
 * as much as it does alone: nothing waits for anything but a core.
 */
export function readsPerSecond(cost: RequestCost, { servers, databaseCores }: Machines): number {
  return Math.min((servers * 1000) / cost.serverMs, (databaseCores * 1000) / cost.databaseMs)
}

/** How many servers use up the cores of a database: more of them read no more. */
export function serversOf(cost: RequestCost, databaseCores: number): number {
  return Math.ceil((databaseCores * cost.serverMs) / cost.databaseMs)
}

/** What the model is told for. */
const reported = { servers: [1, 2, 4, 8, 16], databaseCores: [2, 4, 8] }

/** A table of Markdown: requests a second by servers and by cores of the database, and how many servers use those up. */
export function modelTable(cost: RequestCost): string {
  const { servers: counts, databaseCores: cores } = reported
  const rates = counts.map((servers) => [
    String(servers),
    ...cores.map((databaseCores) => roundTo100(readsPerSecond(cost, { servers, databaseCores }))),
  ])
  const full = ['used up by servers', ...cores.map((databaseCores) => String(serversOf(cost, databaseCores)))]
  const head = ['servers', ...cores.map((databaseCores) => `database of ${databaseCores} cores`)]
  return [head, head.map(() => '---'), ...rates, full].map(row).join('\n')
}

function roundTo100(rate: number): string {
  return String(Math.round(rate / 100) * 100)
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
