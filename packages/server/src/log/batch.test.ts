import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBatch, type Batch } from './batch.ts'

let batch: Batch
let out: string[]
beforeEach(() => {
  vi.useFakeTimers()
  out = []
  batch = createBatch({ characters: 10, longestMs: 200 }, (lines) => out.push(lines))
})
afterEach(() => vi.useRealTimers())

describe('a batch', () => {
  it('is written once it is long enough', () => {
    batch.write('one\n')
    batch.write('two\n')
    expect(out).toEqual([])
    batch.write('three\n')
    expect(out).toEqual(['one\ntwo\nthree\n'])
  })

  it('is written in time, counted from its first line', () => {
    batch.write('one\n')
    vi.advanceTimersByTime(199)
    batch.write('two\n')
    expect(out).toEqual([])
    vi.advanceTimersByTime(1)
    expect(out).toEqual(['one\ntwo\n'])
    vi.advanceTimersByTime(1000)
    expect(out).toHaveLength(1)
  })

  it('is written when released, and not again', () => {
    batch.write('one\n')
    batch.release()
    batch.release()
    vi.advanceTimersByTime(1000)
    expect(out).toEqual(['one\n'])
  })

  it('hands out its content', () => {
    batch.write('one\n')
    expect(batch.take()).toBe('one\n')
    vi.advanceTimersByTime(1000)
    expect([batch.take(), out]).toEqual(['', []])
  })
})
