import { describe, expect, it } from 'vitest'
import { createInOrder } from './shared.ts'
import { createRounds } from './event-loop.ts'

describe('work of one key', () => {
  it('runs sequentially, even after failures, and concurrently with work of other keys', async () => {
    const inOrder = createInOrder()
    const reported: string[] = []
    const first = Promise.withResolvers<void>()
    const work = [
      inOrder('a', async () => first.promise.then(() => reported.push('a1'))),
      inOrder('a', async () => Promise.reject(new Error('broken'))),
      inOrder('a', async () => reported.push('a3')),
    ]
    await inOrder('b', async () => reported.push('b'))
    first.resolve()
    const [, second] = await Promise.allSettled(work)
    expect(reported).toEqual(['b', 'a1', 'a3'])
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'broken' } })
  })

  it('is refused when too much of it is waiting, and accepted again later', async () => {
    const inOrder = createInOrder()
    const gate = Promise.withResolvers<void>()
    const waiting = Array.from({ length: 20 }, () => inOrder('a', async () => gate.promise))
    await expect(inOrder('a', async () => {})).rejects.toMatchObject({ code: 'too_many_requests' })
    gate.resolve()
    await Promise.all(waiting)
    expect(await inOrder('a', async () => 1)).toBe(1)
  })
})

it('rounds are given one at a time, in the order of the calls', async () => {
  const round = createRounds()
  const reported: number[] = []
  let loops = 0
  const timer = setImmediate(function count() {
    loops += 1
    if (loops < 20) setImmediate(count)
  })
  const seen = await Promise.all(
    [1, 2, 3].map(async (number) => {
      await round()
      reported.push(number)
      return loops
    }),
  )
  clearImmediate(timer)
  expect(reported).toEqual([1, 2, 3])
  expect(new Set(seen).size).toBe(3)
})
