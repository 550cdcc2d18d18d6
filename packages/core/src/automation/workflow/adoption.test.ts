import type { EngineAnswer } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import {
  activeInfo,
  anAction,
  aRecord,
  callbacks,
  counted,
  eva,
  lee,
  now,
  stands,
} from '../../../test/sample-reviews.ts'
import type { WorkflowCallback, WorkflowRecord } from './records.ts'
import { applyOutcome } from './reconcile.ts'
import type { EngineOutcome } from './ask.ts'
import { applyCallback, eventOfCallback } from './transitions.ts'

/** A start that was posted a minute ago, and has no conclusive answer. */
const start = anAction('start', { sentAt: now - 60_000, until: now - 50_000, connectionId: 'CONN_2' })
const starting = aRecord({ pending: start })
const failed = aRecord({ info: { ...activeInfo, status: 'error' }, pending: start })

/** A workflow after a callback that takes effect. */
function reported(record: WorkflowRecord, given: Partial<WorkflowCallback> = {}): WorkflowRecord {
  return counted(applyCallback(record, { given: { ...callbacks.active, ...given }, at: now + 1 }))
}

function answered(before: WorkflowRecord, asked: EngineOutcome, isLast = false) {
  if (!before.pending) throw new Error('Nothing is asked.')
  return applyOutcome(before, { pending: before.pending, asked, at: now + 2, isLast })
}

const accepted = (answer: EngineAnswer): EngineOutcome => ({ kind: 'taken', answer })
const refused: EngineOutcome = { kind: 'refused', reason: 'It is there already', status: 409 }
const unknown: EngineOutcome = { kind: 'unknown', reason: 'Who knows' }

describe('a callback while the answer to a start is unknown', () => {
  it('shows that the start took effect: by whom, when, in which instance of which engine', () => {
    const after = reported(starting, { comment: 'Read' })
    expect(eventOfCallback(starting, after)).toBe('start')
    expect(after).toMatchObject({ connectionId: 'CONN_2', pending: { ...start, isAdopted: true } })
    expect(after.info).toMatchObject({ startedAt: 1_789_999_940, workflowInstanceId: 'one', steps: [] })
    const first = { timestamp: now + 1, toStep: 'legal', externalReference: 'one' }
    expect(after.info?.history).toEqual([
      { ...first, action: 'start', fromStep: null, user: eva },
      { ...first, action: 'status_update', fromStep: 'legal', comment: 'Read' },
    ])
  })

  it('shows it also for a start that was given up, which is not repeated for the missing parts', () => {
    const after = reported(stands.givenUp.record)
    expect(after.info).toMatchObject({ workflowInstanceId: 'one', currentStep: 'legal' })
    expect(after.pending).toMatchObject({ isGivenUp: true, isAdopted: true, until: 0 })
  })

  it.each(['completed', 'cancelled'] as const)('resolves the start if the workflow is %s', (status) => {
    const resolved = { pending: null, ended: { id: start.id, isInUse: true }, info: { status } }
    expect(reported(starting, { status })).toMatchObject(resolved)
    expect(reported(reported(starting), { status })).toMatchObject(resolved)
  })

  it('does not show it for an earlier instance of this review', () => {
    const started = { ...activeInfo.history[0], action: 'start', fromStep: null, toStep: 'legal' } as const
    const history = [...activeInfo.history, { ...started, timestamp: now - 1, externalReference: 'two' }]
    const anew = {
      ...failed,
      info: { ...activeInfo, status: 'error', workflowInstanceId: 'two', history },
    } as const
    expect(applyCallback(anew, { given: callbacks.active, at: now })).toBe('mismatch')
    expect(
      applyCallback(anew, { given: { ...callbacks.active, workflowInstanceId: 'three' }, at: now }),
    ).toMatchObject({
      info: { workflowInstanceId: 'three' },
    })
  })

  it('sets the instance: a callback of another one after it is a mismatch', () => {
    const after = reported(starting)
    expect(applyCallback(after, { given: callbacks.other, at: now + 1 })).toBe('mismatch')
    expect(eventOfCallback(after, reported(after, { currentStep: 'chief' }))).toBe('status_update')
  })

  it('does not show it if it is from the current instance: the engine may still refuse the start', () => {
    const next = reported(failed)
    expect(next.pending).toEqual(start)
    expect(eventOfCallback(failed, next)).toBe('status_update')
    expect(answered(next, refused).record).toMatchObject({ info: next.info, pending: null })
  })

  it('is applied after the answer that it arrived before', () => {
    const { moves, record } = answered({ ...starting, held: [callbacks.active] }, unknown)
    expect(moves.map(({ event }) => event)).toEqual(['start'])
    expect(record).toMatchObject({ held: [], pending: { isAdopted: true } })
  })
})

describe('the answer to a start that the engine reported earlier', () => {
  const adopted = reported(starting)
  const given = {
    workflowInstanceId: 'else',
    currentStep: 'editorial',
    status: 'error',
    nextActionUrl: 'https://engine.example.com/next',
    assignee: lee,
    metadata: { round: 1 },
    steps: activeInfo.steps,
  } as const

  it('adds what was missing, and nothing else', () => {
    const { record } = answered(adopted, accepted(given))
    const { nextActionUrl, assignee, metadata, steps } = given
    expect(record?.info).toEqual({ ...adopted.info, nextActionUrl, assignee, metadata, steps })
    expect(record).toMatchObject({ pending: null, ended: { id: start.id, isInUse: true } })
  })

  it('does not change what the engine reported', () => {
    const known = { nextActionUrl: 'https://engine.example.com/told', assignee: eva, metadata: { round: 2 } }
    const before = reported(starting, known)
    expect(answered(before, accepted(given)).record?.info).toEqual({ ...before.info, steps: given.steps })
  })

  it('does not cause a second start event', () => {
    expect(answered(adopted, accepted(given)).moves.map(({ event }) => event)).toEqual(['status_update'])
  })

  it('can be a refusal, which resolves it: the start is known to have taken effect', () => {
    const { record, moves } = answered(adopted, refused)
    expect(record).toEqual({ ...adopted, pending: null, ended: { id: start.id, isInUse: true } })
    expect(moves).toEqual([])
  })

  it('is asked for until it arrives, and not after the last attempt', () => {
    expect(answered(adopted, unknown).record).toEqual(adopted)
    expect(answered(adopted, unknown, true).record).toMatchObject({ info: adopted.info, pending: null })
  })
})

describe('a start that is requested again after it was given up', () => {
  it('is the same start, so that the review begins once the engine answers', () => {
    const pending = anAction('start', { tries: 8, until: now })
    const { record, moves } = answered({ ...stands.givenUp.record, pending }, accepted({ id: 'one' }))
    expect(moves.map(({ event }) => event)).toEqual(['start'])
    expect(record).toMatchObject({ pending: null, ended: { id: pending.id, isInUse: true } })
  })
})
