import { describe, expect, it } from 'vitest'
import { ServedEvents, type EventsSource } from './served-events.ts'

/** A source that yields 1 and 2, then waits, with a record of how it was used. */
function counting() {
  const seen = { opened: 0, left: 0 }
  const source: EventsSource<number> = {
    take() {
      seen.opened += 1
      return () => void (seen.opened -= 1)
    },
    async *follow(left) {
      try {
        yield { data: 1 }
        yield { data: 2 }
        await new Promise((resolve) => left.addEventListener('abort', resolve))
      } finally {
        seen.left += 1
      }
    },
  }
  return { source, seen }
}

async function readAll<T>(events: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = []
  for await (const value of events) values.push(value)
  return values
}

describe('served events', () => {
  it('hold a slot only while they are read', async () => {
    const { source, seen } = counting()
    const events = new ServedEvents(source)
    expect(seen.opened).toBe(0)
    for await (const value of events) {
      expect(seen.opened).toBe(1)
      if (value === 2) break
    }
    expect(seen).toEqual({ opened: 0, left: 1 })
  })

  it('can be left while they wait', async () => {
    const { source, seen } = counting()
    const iterator = new ServedEvents(source)[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.next()
    const waiting = iterator.next()
    await iterator.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(seen).toEqual({ opened: 0, left: 1 })
  })

  it('end when the signal is aborted, at any point, with its reason', async () => {
    const { source, seen } = counting()
    const controller = new AbortController()
    const events = new ServedEvents(source, { signal: controller.signal })
    const iterator = events[Symbol.asyncIterator]()
    await iterator.next()
    controller.abort(new Error('enough'))
    expect(seen.opened).toBe(0)
    await expect(iterator.next()).rejects.toThrow('enough')
    expect(() => events[Symbol.asyncIterator]()).toThrow('enough')
    const waiting = new AbortController()
    const reading = readAll(new ServedEvents(source, { signal: waiting.signal }))
    setTimeout(() => waiting.abort(new Error('later')), 10)
    await expect(reading).rejects.toThrow('later')
    expect(seen.opened).toBe(0)
  })

  it('report errors, and release their slot', async () => {
    const { source, seen } = counting()
    const failing: EventsSource<number> = {
      take: () => source.take(),
      async *follow() {
        yield { data: 1 }
        throw new Error('the disk')
      },
    }
    const report = (error: unknown) => new Error('reported', { cause: error })
    await expect(readAll(new ServedEvents(failing).watched({ report }))).rejects.toMatchObject({
      message: 'reported',
      cause: { message: 'the disk' },
    })
    expect(seen.opened).toBe(0)
  })
})
