import { ServerResponse, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { EventTexts } from '@quire/contract/codec'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOpenStreams } from './open-streams.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const aResponse = () => new ServerResponse(new IncomingMessage(new Socket()))

/** Texts that never end by themselves, and how often they were closed. */
function endless() {
  const seen = { left: 0 }
  const texts: EventTexts = {
    next: async () =>
      seen.left > 0 ? { done: true, value: undefined } : { done: false, value: 'data: 1\n\n' },
    async return() {
      seen.left += 1
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  return { texts, seen }
}

describe('an open stream', () => {
  it('is cut when nobody reads it for a minute, and not while it is read', async () => {
    const response = aResponse()
    const { texts } = endless()
    const stream = createOpenStreams().add(texts, response)
    for (let count = 0; count < 5; count++) {
      await stream.next()
      vi.advanceTimersByTime(59_000)
    }
    expect(response.destroyed).toBe(false)
    vi.advanceTimersByTime(2000)
    expect(response.destroyed).toBe(true)
  })

  it('is not cut after its end', async () => {
    const response = aResponse()
    const stream = createOpenStreams().add(endless().texts, response)
    await stream.next()
    await stream.return()
    expect((await stream.next()).done).toBe(true)
    vi.advanceTimersByTime(120_000)
    expect(response.destroyed).toBe(false)
  })

  it('ends when all are closed, and so does a later one', async () => {
    const streams = createOpenStreams()
    const [before, ended, after] = [endless(), endless(), endless()]
    streams.add(before.texts, aResponse())
    await streams.add(ended.texts, aResponse()).return()
    streams.close()
    const late = streams.add(after.texts, aResponse())
    expect([before.seen.left, ended.seen.left, after.seen.left]).toEqual([1, 1, 1])
    expect((await late.next()).done).toBe(true)
  })
})
