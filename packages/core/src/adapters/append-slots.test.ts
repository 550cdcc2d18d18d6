import { describe, expect, it } from 'vitest'
import { createAppendSlots } from './append-slots.ts'
import { StoreConflict } from '../ports/store.ts'

const id = 'UPLD_01JXSC6G000000000000000001'

describe('an append that takes over', () => {
  it('waits for the running step, and for another takeover, and ends both', async () => {
    const slots = createAppendSlots()
    const written = Promise.withResolvers<void>()
    const done: string[] = []
    const first = slots.enter(id)
    const step = first.step(async () => {
      await written.promise
      done.push('written')
    })
    const second = slots.takeOver(id)
    const third = slots.takeOver(id).then((slot) => {
      done.push('taken over')
      return slot
    })
    written.resolve()
    await expect(step).rejects.toThrow(StoreConflict)
    const last = await third
    expect(done).toEqual(['written', 'taken over'])
    const never = () => Promise.reject(new Error('not to be done'))
    await expect(first.step(never)).rejects.toThrow(StoreConflict)
    await expect((await second).step(never)).rejects.toThrow(StoreConflict)
    expect([first.isOver(), last.isOver(), last.isAlone()]).toEqual([true, false, true])
    first.leave()
    expect(await last.step(() => Promise.resolve('mine'))).toBe('mine')
  })

  it('does not affect other uploads or appends that have left', async () => {
    const slots = createAppendSlots()
    const other = slots.enter('other')
    slots.enter(id).leave()
    await slots.takeOver(id)
    expect([other.isOver(), other.isAlone()]).toEqual([false, true])
  })
})

describe('two appends that neither took over', () => {
  it('are not alone, but consecutive appends are', () => {
    const slots = createAppendSlots()
    const [one, two] = [slots.enter(id), slots.enter(id)]
    expect([one.isAlone(), two.isAlone()]).toEqual([false, false])
    one.leave()
    two.leave()
    expect(slots.enter(id).isAlone()).toBe(true)
  })
})
