import { describe, expect, it } from 'vitest'
import { createThreadTime, type ThreadTime } from './thread-time.ts'

let ms = 0
const clock = () => ms
const create = (): ThreadTime => createThreadTime({ now: clock, worked: clock })

/** Keeps the thread busy for this many milliseconds. */
function work(time: ThreadTime, caller: string, took: number): void {
  const meter = time.meterOf(caller)
  meter.begin()
  ms += took
  meter.end()
}

describe('a caller who keeps the thread busy', () => {
  it('is refused above the limit, with a time to retry, and others are not', () => {
    const time = create()
    time.meterOf('other').begin()
    work(time, 'busy', 200)
    expect(time.refusal('busy')).toBeUndefined()
    work(time, 'busy', 200)
    expect(time.refusal('busy')).toMatchObject({ code: 'too_many_requests', details: { retryAfter: 1 } })
    expect([time.refusal('other'), time.refusesAny()]).toEqual([undefined, true])
    ms += 700
    time.meterOf('other').begin()
    expect([time.refusal('busy'), time.refusesAny()]).toEqual([undefined, false])
  })

  it('is admitted while there are no other callers', () => {
    const time = create()
    work(time, 'busy', 400)
    expect(time.refusal('busy')).toBeUndefined()
  })

  it('pays for long uses only, and not for work that others started meanwhile', () => {
    const time = create()
    time.meterOf('other').begin()
    for (let at = 0; at < 200; at += 1) work(time, 'quick', 2)
    const waiting = time.meterOf('waiting')
    waiting.begin()
    work(time, 'busy', 300)
    waiting.end()
    time.meterOf('other').begin()
    expect([time.refusal('quick'), time.refusal('waiting')]).toEqual([undefined, undefined])
    expect(time.refusal('busy')).toBeDefined()
  })

  it('is refused first when the thread is late', () => {
    const time = create()
    work(time, 'busy', 30)
    time.meterOf('other').begin()
    expect([time.refusal('busy'), time.refusal('busy', 0)?.code]).toEqual([undefined, 'too_many_requests'])
    expect([time.refusal('other', 0), time.refusesAny()]).toEqual([undefined, false])
  })
})
