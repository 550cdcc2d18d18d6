import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startRun } from './run.ts'

const source = readFileSync(join(import.meta.dirname, '../process/two-step-review.bpmn'), 'utf8')
const hour = 60 * 60 * 1000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

async function runAtLegal() {
  const overdue: string[] = []
  const ended: string[] = []
  const run = await startRun({
    source,
    legalReviewMs: hour,
    onOverdue: (_, step) => overdue.push(step),
    onEnd: ({ status }) => ended.push(status),
  })
  run.decide({ action: 'approve' })
  return { run, overdue, ended }
}

it('gives the lawyers their full time, and no more', async () => {
  const { run, overdue, ended } = await runAtLegal()
  vi.advanceTimersByTime(hour - 1000)
  expect([run.step, ...overdue]).toEqual(['legal'])
  vi.advanceTimersByTime(1000)
  expect([run.step, ...overdue]).toEqual(['chief', 'legal'])
  run.decide({ action: 'reject' })
  expect([run.status, ...ended, ...overdue]).toEqual(['active', 'legal'])
})

it('restarts the time when the lawyers get the package again', async () => {
  const { run, overdue } = await runAtLegal()
  vi.advanceTimersByTime(hour - 1000)
  run.decide({ action: 'reject' })
  vi.advanceTimersByTime(hour)
  run.decide({ action: 'approve' })
  run.decide({ action: 'approve' })
  vi.advanceTimersByTime(hour - 1000)
  expect([run.step, ...overdue]).toEqual(['legal'])
})

it('has no timers left after it is stopped', async () => {
  const { run, overdue, ended } = await runAtLegal()
  expect(vi.getTimerCount()).toBe(1)
  await run.stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(2 * hour)
  expect([run.step, run.status, overdue, ended]).toEqual(['legal', 'cancelled', [], []])
})

it('repeats the cycle as often as the package is rejected', async () => {
  const { run, ended } = await runAtLegal()
  for (let round = 0; round < 8; round += 1)
    for (const action of ['reject', 'approve', 'approve']) run.decide({ action })
  expect(run.step).toBe('legal')
  run.decide({ action: 'approve' })
  expect([run.step, run.status, ended]).toEqual(['approved', 'completed', ['completed']])
})

it('fails when no flow leads on', async () => {
  const { run, ended } = await runAtLegal()
  run.decide({ action: 'shrug' })
  expect([run.status, ...ended]).toEqual(['error', 'error'])
  expect(vi.getTimerCount()).toBe(0)
})
