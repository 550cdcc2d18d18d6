import { setImmediate as nextLoop } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createCommits } from './commits.ts'
import type { Run } from './postgres-driver.ts'

/** A database whose answers wait to be given. */
function waiting() {
  const asked: ((number: number | null) => void)[] = []
  const run: Run = () =>
    new Promise((resolve) => {
      asked.push((number) => resolve({ rows: [[number]], rowCount: 1 }))
    })
  return { asked, run }
}

describe('the count of commits on PostgreSQL', () => {
  it('grows with the number of the last commit, and with the generation of the records', async () => {
    let [number, generation]: [number | null, number] = [null, 1]
    const run: Run = async () => ({ rows: [[number]], rowCount: 1 })
    const commits = createCommits({ run, generation: () => generation })
    await commits.catchUp()
    const empty = commits.latest()
    expect(commits.latest()).toBe(empty)
    number = 7
    expect(commits.latest()).toBe(empty)
    await commits.catchUp()
    const seventh = commits.latest()
    expect(seventh).toBeGreaterThan(empty)
    generation = 2
    expect(commits.latest()).toBeGreaterThan(seventh)
  })

  it('grows, too, when commits were lost, and when as many have followed since', async () => {
    let number = 7
    const run: Run = async () => ({ rows: [[number]], rowCount: 1 })
    const commits = createCommits({ run, generation: () => 1 })
    const seen: number[] = []
    for (const next of [7, 5, 7]) {
      number = next
      await commits.catchUp()
      seen.push(commits.latest())
    }
    expect(new Set(seen).size).toBe(3)
  })

  it('never stays the same before the first answer', () => {
    const commits = createCommits({ run: async () => ({ rows: [], rowCount: 0 }), generation: () => 1 })
    expect(commits.latest()).not.toBe(commits.latest())
  })

  it('asks once for all who ask before that begins, and again for those who ask later', async () => {
    const { asked, run } = waiting()
    const commits = createCommits({ run, generation: () => 1 })
    const first = commits.catchUp()
    await nextLoop()
    const later = [commits.catchUp(), commits.catchUp()]
    await nextLoop()
    expect(asked).toHaveLength(1)
    asked[0]?.(3)
    await first
    const before = commits.latest()
    await nextLoop()
    expect(asked).toHaveLength(2)
    asked[1]?.(4)
    await Promise.all(later)
    expect(commits.latest()).toBeGreaterThan(before)
    expect(asked).toHaveLength(2)
  })

  it('reports an error to those who asked, and answers the next ones', async () => {
    let isDown = true
    const run: Run = async () => {
      if (isDown) throw new Error('down')
      return { rows: [[1]], rowCount: 1 }
    }
    const commits = createCommits({ run, generation: () => 1 })
    await expect(Promise.all([commits.catchUp(), commits.catchUp()])).rejects.toThrow('down')
    isDown = false
    await commits.catchUp()
    expect(commits.latest()).toBe(commits.latest())
  })
})
