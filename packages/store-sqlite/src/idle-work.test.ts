import { setImmediate as nextLoop } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIdleWork } from './idle-work.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

async function advance(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms)
  for (let round = 0; round < 20; round++) await nextLoop()
}

it('runs bursts of steps until nothing is left, and again when it is asked again', async () => {
  let left = 12
  const step = vi.fn<() => boolean>(() => --left > 0)
  const start = createIdleWork(step)
  await advance(10_000)
  expect(step).not.toHaveBeenCalled()
  start()
  start()
  await advance(999)
  expect(step).not.toHaveBeenCalled()
  await advance(1)
  expect(step).toHaveBeenCalledTimes(8)
  start()
  await advance(999)
  expect(step).toHaveBeenCalledTimes(8)
  await advance(1)
  expect(step).toHaveBeenCalledTimes(12)
  await advance(10_000)
  expect(step).toHaveBeenCalledTimes(12)
  start()
  await advance(1000)
  expect(step).toHaveBeenCalledTimes(13)
})
