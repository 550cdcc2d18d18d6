import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { JournalEntry } from '../ports/index.ts'
import { wholeEnvironment } from '../whole-environment.ts'
import { remember, completeWiring, type Recorded } from './call.ts'
import { recordEvent } from './journal.ts'
import { newJob } from './job.ts'
import { createMemo, createShared } from './shared.ts'
import { systemCall } from './system-call.ts'

/** A call, and a record of what followed its transactions, in order. */
function aCall() {
  const followed: string[] = []
  const deliver = async (_call: unknown, { entries }: Recorded) => {
    followed.push(`deliver ${entries.map(({ entityId }) => entityId).join()}`)
  }
  const shared = createShared()
  const wiring = completeWiring({
    deliver,
    announce: () => void followed.push('announce'),
    wake: () => void followed.push('wake'),
  })
  const environment = wholeEnvironment({ store: createMemoryStore() })
  const call = systemCall({ environment, memo: createMemo(), shared, wiring }, 'test')
  const entry = (id: string): JournalEntry => recordEvent(call, 'TYPE_CREATED', { kind: 'type', id })
  const job = (key: string) => newJob(call, { kind: 'test', key, maxAttempts: 1 })
  return { call, followed, entry, job, refused: new Error('refused') }
}

describe('a write', () => {
  it('delivers what it recorded, and runs each afterCommit function once', async () => {
    const { call, followed, entry, job } = aCall()
    const note = () => void followed.push('note')
    await call.write(async (call) => {
      await call.record(entry('one'))
      await call.enqueue(job('a'))
      await call.enqueue(job('b'))
      call.afterCommit(note)
      call.afterCommit(note)
      expect(followed).toEqual([])
    })
    expect(followed).toEqual(['deliver one', 'announce', 'wake', 'note'])
  })

  it('that fails leaves nothing behind', async () => {
    const { call, followed, entry, job, refused } = aCall()
    const failing = call.write(async (call) => {
      await call.record(entry('one'))
      await call.enqueue(job('a'))
      throw refused
    })
    await expect(failing).rejects.toBe(refused)
    expect(followed).toEqual([])
    expect(await call.store.jobs.findUnended('a')).toBeNull()
  })

  it('inside another is rolled back alone, with what it recorded', async () => {
    const { call, followed, entry, job, refused } = aCall()
    await call.write(async (call) => {
      await call.record(entry('outer'))
      const failing = call.write(async (call) => {
        await call.record(entry('undone'))
        await call.enqueue(job('undone'))
        call.afterCommit(() => void followed.push('undone'))
        throw refused
      })
      await expect(failing).rejects.toBe(refused)
      await call.write(async (call) => {
        await call.record(entry('inner'))
        await call.write((call) => call.enqueue(job('innermost')))
      })
    })
    expect(followed).toEqual(['deliver outer,inner', 'announce', 'wake'])
    expect(await call.store.jobs.findUnended('undone')).toBeNull()
    expect(await call.store.jobs.findUnended('innermost')).toMatchObject({ kind: 'test' })
  })

  it('on a copy of a call has the members of the copy', async () => {
    const { call } = aCall()
    const copy = { ...call, comment: 'why' }
    const comments = await copy.write(async (call) => [
      call.comment,
      await { ...call, comment: 'another' }.write(async ({ comment }) => comment),
    ])
    expect(comments).toEqual(['why', 'another'])
  })

  it('caches nothing, because what it reads may be rolled back', async () => {
    const { call } = aCall()
    let count = 0
    const next = async () => ++count
    expect(await remember(call, 'key', next)).toBe(1)
    expect(await call.write((call) => remember(call, 'key', next))).toBe(2)
    expect(await remember(call, 'key', next)).toBe(1)
  })
})
