import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIdleWork } from './idle-work.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('runs steps with pauses until nothing is left, and again when it is asked again', () => {
  let left = 3
  const step = vi.fn<() => boolean>(() => --left > 0)
  const start = createIdleWork(step)
  vi.advanceTimersByTime(10_000)
  expect(step).not.toHaveBeenCalled()
  start()
  start()
  vi.advanceTimersByTime(999)
  expect(step).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(step).toHaveBeenCalledTimes(1)
  start()
  vi.advanceTimersByTime(10_000)
  expect(step).toHaveBeenCalledTimes(3)
  start()
  vi.advanceTimersByTime(10_000)
  expect(step).toHaveBeenCalledTimes(4)
})
