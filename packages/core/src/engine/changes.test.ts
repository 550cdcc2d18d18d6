import { describe, expect, it } from 'vitest'
import { createChanges } from './changes.ts'

const long = 60_000

async function isOver(waiting: Promise<void>): Promise<boolean> {
  return Promise.race([
    waiting.then(() => true),
    new Promise<boolean>((resolve) => void setTimeout(resolve, 20, false)),
  ])
}

describe('the next change', () => {
  it('can be awaited by any number of waiters', async () => {
    const changes = createChanges()
    const waiting = [changes.nextChange(long), changes.nextChange(long)]
    expect(await isOver(Promise.race(waiting))).toBe(false)
    changes.changed()
    expect(await Promise.all(waiting.map(isOver))).toEqual([true, true])
    const later = new AbortController()
    expect(await isOver(changes.nextChange(long, later.signal))).toBe(false)
    later.abort()
  })

  it('is not missed between a look and the wait', async () => {
    const changes = createChanges()
    const seen = changes.changes()
    changes.changed()
    expect(await isOver(changes.nextChange(long, undefined, seen))).toBe(true)
  })

  it('is not awaited beyond the timeout, or after the signal is aborted', async () => {
    const changes = createChanges()
    const left = new AbortController()
    const waiting = changes.nextChange(long, left.signal)
    left.abort()
    expect(await isOver(waiting)).toBe(true)
    expect(await isOver(changes.nextChange(long, left.signal))).toBe(true)
    expect(await isOver(changes.nextChange(1))).toBe(true)
  })
})
