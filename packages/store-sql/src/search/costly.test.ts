import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { askingSeldom } from './costly.ts'

function counting(ms: number) {
  let asked = 0
  const ask = askingSeldom(
    async (key: string) => {
      asked++
      const answer = `${key} ${asked}`
      await wait(ms)
      return answer
    },
    { cheapMs: 100 },
  )
  return { ask, asked: () => asked }
}

describe('a costly read', () => {
  it('runs once per key for concurrent callers', async () => {
    const { ask, asked } = counting(5)
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual(['a 1', 'a 1', 'b 2'])
    expect(asked()).toBe(2)
  })

  it('runs again when it was cheap', async () => {
    const { ask } = counting(0)
    expect(await ask('a')).toBe('a 1')
    expect(await ask('a')).toBe('a 2')
  })

  it('repeats its answer for a while when it took long', async () => {
    const { ask } = counting(120)
    expect(await ask('a')).toBe('a 1')
    expect(await ask('a')).toBe('a 1')
    await expect.poll(() => ask('a'), { timeout: 10_000 }).toBe('a 2')
  })

  it('runs again when it failed', async () => {
    let asked = 0
    const ask = askingSeldom(
      async () => {
        asked++
        await wait(120)
        throw new Error('no')
      },
      { cheapMs: 100 },
    )
    await expect(ask('a')).rejects.toThrow('no')
    await expect(ask('a')).rejects.toThrow('no')
    expect(asked).toBe(2)
  })
})
