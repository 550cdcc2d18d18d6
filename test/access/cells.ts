import { ask, type Seen } from './ask.ts'
import type { Caller } from './principals.ts'
import { rows, type Row } from './rows.ts'
import { lastSequence, quiet, type RepositoryName, type Site } from './site.ts'
import { replaced, replacedIn, standInFor } from './stand-ins.ts'
import type { Statuses } from './table.ts'
import { targetsFor } from './targets.ts'

/** A request of a principal for a row, and what came back. */
export interface Cell extends Seen {
  readonly row: Row
  readonly caller: Caller
  readonly input: unknown
  /** Whether the journal has grown by it. */
  readonly wrote: boolean
  /** What of the repository exists for this request alone: ids, slugs and names. */
  readonly made: ReadonlySet<string>
  /** Those of them that role lists and owners hide. */
  readonly hideable: ReadonlySet<string>
}

/** Sends the request of every row as every principal, each about things of its own. */
export async function allCells(site: Site): Promise<readonly Cell[]> {
  const cells: Cell[] = []
  for (const row of rows) {
    for (const caller of site.principals) cells.push(await cellOf(site, row, caller))
  }
  return cells
}

/** Sends the request of a row as a principal. */
export async function cellOf(site: Site, row: Row, caller: Caller): Promise<Cell> {
  const at = targetsFor(site, { caller, ...row })
  const input = await row.input(at)
  const before = await lastSequence(site)
  const seen = await ask(site.address, { endpoint: row.endpoint, input, token: caller.token })
  const { made, hideable } = at
  await quiet(site)
  const wrote = (await lastSequence(site)) !== before
  return { ...seen, row, caller, input, wrote, made, hideable }
}

/** The statuses of cells by row. */
export function statusesOf(cells: readonly Cell[]): Statuses {
  const statuses = new Map<string, number[]>()
  for (const { row, status } of cells) statuses.set(row.name, [...(statuses.get(row.name) ?? []), status])
  return statuses
}

/** What cells are, for messages. */
export function named(cells: readonly Cell[]): readonly string[] {
  return cells.map(({ row, caller, status }) => `${row.name} as ${caller.name}: ${status}`)
}

/** Whether it was done. */
export function isDone({ status }: Seen): boolean {
  return status >= 200 && status < 300
}

/** Whether a request names something of a repository. */
export function namesIn(site: Site, repository: RepositoryName): (cell: Cell) => boolean {
  const id = site.repositories[repository]
  return ({ row, made, input }) =>
    row.repository === repository && (made.size > 0 || JSON.stringify(input).includes(id))
}

/** How a request is asked about other things. */
export type Exchange = (cell: Cell) => ReadonlyMap<string, string>

/** What a request made, by what is nowhere. */
export const standInsForMade: Exchange = ({ made }) =>
  new Map([...made].map((text) => [text, standInFor(text)]))

/** What can be hidden of it, by what is nowhere. */
export const standInsForHidden: Exchange = ({ hideable }) =>
  new Map([...hideable].map((text) => [text, standInFor(text)]))

/** The cells that tell what exists: about things that are nowhere, the answer is another. */
export async function reporting(
  site: Site,
  cells: readonly Cell[],
  exchange: Exchange,
): Promise<readonly Cell[]> {
  const found: Cell[] = []
  for (const cell of cells) {
    const texts = exchange(cell)
    const back = new Map([...texts].map(([from, to]) => [to, from]))
    const answer = await again(site, cell, replaced(cell.input, texts))
    if (replacedIn(answer.whole, back) !== cell.whole) found.push(cell)
  }
  return found
}

/** Sends the request of a cell with another input. */
export function again(site: Site, { row, caller }: Cell, input: unknown): Promise<Seen> {
  return ask(site.address, { endpoint: row.endpoint, input, token: caller.token })
}
