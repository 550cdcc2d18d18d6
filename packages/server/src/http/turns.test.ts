import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { turns } from './turns.ts'

const megabyte = 1_000_000

/** Milliseconds that so many megabytes take, asked for by four at once. */
async function timeOf(megabytes: number): Promise<number> {
  const started = performance.now()
  const quarter = async () => {
    for (let index = 0; index < megabytes / 4; index++) await turns.take(megabyte)
  }
  await Promise.all([quarter(), quarter(), quarter(), quarter()])
  return performance.now() - started
}

describe('turns', () => {
  let others: NodeJS.Timeout | undefined
  afterEach(() => clearInterval(others))

  it('are taken one after the other, each in a turn of the event loop of its own', async () => {
    const order: string[] = []
    const taken = ['a', 'b', 'c'].map((name) => turns.take(1).then(() => order.push(name)))
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn()
      order.push(String(turn))
    }
    await Promise.all(taken)
    expect(order.join('')).toMatch(/^0?a\d?b\d?c\d*$/)
    expect(order.join('')).not.toMatch(/ab|bc/)
  })

  it('come as fast as they can while nobody asks for little', async () => {
    expect(await timeOf(200)).toBeLessThan(1000)
  })

  it('move what a line of a gigabit does while others are answered', async () => {
    turns.answered()
    others = setInterval(() => turns.answered(), 10)
    const taken = await timeOf(40)
    expect(taken).toBeGreaterThan(250)
    expect(taken).toBeLessThan(3000)
  })
})
