import { expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const { signal } = new AbortController()

it('admits a limited number per key, in the order of arrival', async () => {
  const slots = createSlots(2)
  const order: string[] = []
  const pass = async (name: string, key: string) => {
    const leave = await slots.enter(key, signal)
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

it('hands no slot to a caller who gave up, even at the same moment', async () => {
  const slots = createSlots(1)
  const leave = await slots.enter('x', signal)
  const controller = new AbortController()
  const given = slots.enter('x', controller.signal)
  const next = slots.enter('x', signal)
  controller.abort(new Error('enough'))
  leave()
  await expect(given).rejects.toThrow('enough')
  const leaveNext = await next
  leaveNext()
  await expect(slots.enter('x', controller.signal)).rejects.toThrow('enough')
  await slots.enter('x', signal)
})
