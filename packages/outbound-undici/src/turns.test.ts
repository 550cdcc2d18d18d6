import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const { signal } = new AbortController()

it('lets so many at a time, for each key, in the order in which they came', async () => {
  const turns = createTurns(2)
  const order: string[] = []
  const pass = async (name: string, key: string) => {
    const leave = await turns.enter(key, signal)
    order.push(name)
    return leave
  }
  const [leaveA] = await Promise.all([pass('a', 'x'), pass('b', 'x'), pass('other', 'y')])
  const c = pass('c', 'x')
  const d = pass('d', 'x')
  await pass('another', 'y')
  expect(order).toEqual(['a', 'b', 'other', 'another'])
  leaveA()
  const leaveC = await c
  leaveC()
  await d
  expect(order.slice(4)).toEqual(['c', 'd'])
})

it('hands no turn to who gave up, even at the same moment', async () => {
  const turns = createTurns(1)
  const leave = await turns.enter('x', signal)
  const controller = new AbortController()
  const given = turns.enter('x', controller.signal)
  const next = turns.enter('x', signal)
  controller.abort(new Error('enough'))
  leave()
  await expect(given).rejects.toThrow('enough')
  const leaveNext = await next
  leaveNext()
  await expect(turns.enter('x', controller.signal)).rejects.toThrow('enough')
  await turns.enter('x', signal)
})
