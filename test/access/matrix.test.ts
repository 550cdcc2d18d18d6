import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Seen } from './ask.ts'
import { principalNames, type PrincipalName } from './principals.ts'
import { rows, type Row } from './rows.ts'
import { openSite, type Site } from './site.ts'
import { differences, readTable, writeTable, type Statuses } from './table.ts'
import { targetsFor } from './targets.ts'

/** A request of a principal for a row, and what came back. */
interface Cell extends Seen {
  readonly row: Row
  readonly principal: PrincipalName
}

let site: Site
let cells: readonly Cell[]
beforeAll(async () => {
  site = await openSite()
  cells = await allCells(site)
}, 60_000)
afterAll(() => site.close())

async function allCells(site: Site): Promise<readonly Cell[]> {
  const seen: Cell[] = []
  for (const row of rows) {
    for (const principal of site.principals) {
      const at = targetsFor(site, { principal, ...row })
      const input = await row.input(at)
      const answer = await ask(site.address, { endpoint: row.endpoint, input, token: principal.token })
      seen.push({ ...answer, row, principal: principal.name })
    }
  }
  return seen
}

function statusesOf(all: readonly Cell[]): Statuses {
  const statuses = new Map<string, number[]>()
  for (const { row, status } of all) statuses.set(row.name, [...(statuses.get(row.name) ?? []), status])
  return statuses
}

it('the matrix is as the table has it', () => {
  const seen = statusesOf(cells)
  if (process.env['UPDATE_MATRIX'] === '1') writeTable(seen)
  expect(differences(readTable(), seen)).toEqual([])
  expect(seen.size * principalNames.length).toBe(cells.length)
})
