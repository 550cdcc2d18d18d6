import { describe, expect, it } from 'vitest'
import { modelTable, readsPerSecond, serversOf } from './scaling-model.ts'

const read = { serverMs: 0.25, databaseMs: 0.1 }

describe('the model of servers on one database', () => {
  it('scales with the servers until the database cores are saturated', () => {
    const rates = [1, 2, 4, 5, 6].map((servers) => readsPerSecond(read, { servers, databaseCores: 2 }))
    expect(rates).toEqual([4000, 8000, 16_000, 20_000, 20_000])
    expect(serversOf(read, 2)).toBe(5)
  })

  it('scales only with the database cores after that', () => {
    const rates = [2, 4, 8].map((databaseCores) => readsPerSecond(read, { servers: 5, databaseCores }))
    expect(rates).toEqual([20_000, 20_000, 20_000])
    expect(readsPerSecond(read, { servers: 10, databaseCores: 4 })).toBe(40_000)
  })

  it('can be printed as a table', () => {
    const lines = modelTable(read).split('\n')
    expect(lines).toContain('| 8 | 20000 | 32000 | 32000 |')
    expect(lines.at(-1)).toBe('| servers that saturate it | 5 | 10 | 20 |')
  })
})
