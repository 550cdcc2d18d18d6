import { ask, type Seen } from './ask.ts'
import type { Caller } from './principals.ts'
import { rows, type Row } from './rows.ts'
import { lastSequence, quiet, type RepositoryName, type Site } from './site.ts'
import { replaced, replacedIn, standInFor } from './stand-ins.ts'
import type { Statuses } from './table.ts'
import { targetsFor } from './targets.ts'

/** A row's request by one principal, and its answer. */
export interface Cell extends Seen {
  readonly row: Row
  readonly caller: Caller
  readonly input: unknown
  /** Whether the request added to the journal. */
  readonly wrote: boolean
  /** Ids, slugs and names in the repository that were created only for this request. */
  readonly made: ReadonlySet<string>
  /** Those of `made` that role lists and owners can hide. */
  readonly hideable: ReadonlySet<string>
}

/** Sends the request of every row as every principal, each with its own new content. */
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

/** Descriptions of cells, for messages. */
export function named(cells: readonly Cell[]): readonly string[] {
  return cells.map(({ row, caller, status }) => `${row.name} as ${caller.name}: ${status}`)
}

/** Whether the request succeeded. */
export function isDone({ status }: Seen): boolean {
  return status >= 200 && status < 300
}

/** A predicate: the request names content of a repository. */
export function namesIn(site: Site, repository: RepositoryName): (cell: Cell) => boolean {
  const id = site.repositories[repository]
  return ({ row, made, input }) =>
    row.repository === repository && (made.size > 0 || JSON.stringify(input).includes(id))
}

/** Texts of a request to replace with others. */
export type Exchange = (cell: Cell) => ReadonlyMap<string, string>

/** Replaces everything that was created for the request with stand-ins that do not exist. */
export const standInsForMade: Exchange = ({ made }) =>
  new Map([...made].map((text) => [text, standInFor(text)]))

/** Replaces everything hideable with stand-ins that do not exist. */
export const standInsForHidden: Exchange = ({ hideable }) =>
  new Map([...hideable].map((text) => [text, standInFor(text)]))

/** The cells that reveal existence: with stand-ins, the answer differs. */
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
