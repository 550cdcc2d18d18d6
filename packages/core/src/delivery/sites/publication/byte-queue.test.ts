import { describe, expect, it } from 'vitest'
import { collect } from '../../../engine/paging.ts'
import { createByteQueue } from './pack.ts'

const chunk = (...bytes: number[]) => Uint8Array.from(bytes)

/** The current state of a promise. */
async function stateOf(promise: Promise<unknown>): Promise<'done' | 'failed' | 'waiting'> {
  const settled = promise.then(
    () => 'done' as const,
    () => 'failed' as const,
  )
  const later = new Promise<'waiting'>((resolve) => setTimeout(resolve, 5, 'waiting'))
  return Promise.race([settled, later])
}

describe('a queue of bytes', () => {
  it('returns the added bytes in order, and ends', async () => {
    const queue = createByteQueue(10)
    const all = collect(queue.bytes)
    await queue.add(chunk(1, 2))
    await queue.add(chunk())
    await queue.add(chunk(3))
    queue.end()
    expect(await all).toEqual(chunk(1, 2, 3))
    await expect(queue.add(chunk(4))).rejects.toThrow('ended')
  })

  it('makes writers wait until there is room', async () => {
    const queue = createByteQueue(3)
    expect(await stateOf(queue.add(chunk(1, 2, 3)))).toBe('done')
    const second = queue.add(chunk(4))
    expect(await stateOf(second)).toBe('waiting')
    const reader = queue.bytes[Symbol.asyncIterator]()
    expect(await reader.next()).toEqual({ done: false, value: chunk(1, 2, 3) })
    expect(await stateOf(second)).toBe('done')
  })

  it('rejects reads, adds and waiting writers with the first reason after a failure', async () => {
    const queue = createByteQueue(0)
    const waiting = queue.add(chunk(1))
    queue.fail(new Error('first'))
    queue.fail(new Error('second'))
    await expect(waiting).rejects.toThrow('first')
    await expect(queue.add(chunk(2))).rejects.toThrow('first')
    await expect(collect(queue.bytes)).rejects.toThrow('first')
    expect(() => queue.end()).toThrow('first')
  })

  it('wakes a waiting reader', async () => {
    const queue = createByteQueue(0)
    const reading = collect(queue.bytes)
    expect(await stateOf(reading)).toBe('waiting')
    queue.fail(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
  })
})
