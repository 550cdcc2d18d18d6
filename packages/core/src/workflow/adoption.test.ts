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
} from '../../test/sample-reviews.ts'
import type { WorkflowCallback, WorkflowRecord } from '../ports/index.ts'
import { afterAnswer } from './answered.ts'
import type { Asked } from './ask.ts'
import { called, calledEvent } from './transitions.ts'

/** A start that was asked a minute ago, and has no answer that tells. */
const start = anAction('start', { sentAt: now - 60_000, until: now - 50_000, connectionId: 'CONN_2' })
const starting = aRecord({ pending: start })
const failed = aRecord({ info: { ...activeInfo, status: 'error' }, pending: start })

/** A workflow after a callback that counts. */
function told(record: WorkflowRecord, said: Partial<WorkflowCallback> = {}): WorkflowRecord {
  return counted(called(record, { said: { ...callbacks.active, ...said }, at: now + 1 }))
}

function answered(before: WorkflowRecord, asked: Asked, isLast = false) {
  if (!before.pending) throw new Error('Nothing is asked.')
  return afterAnswer(before, { pending: before.pending, asked, at: now + 2, isLast })
}

const taken = (answer: EngineAnswer): Asked => ({ kind: 'taken', answer })
const refused: Asked = { kind: 'refused', reason: 'It is there already', status: 409 }
const unknown: Asked = { kind: 'unknown', reason: 'Who knows' }

describe('what an engine tells while the answer to a start is not known', () => {
  it('shows that it was taken: by whom, when, in which instance of which engine', () => {
    const after = told(starting, { comment: 'Read' })
    expect(calledEvent(starting, after)).toBe('start')
    expect(after).toMatchObject({ connectionId: 'CONN_2', pending: { ...start, isAdopted: true } })
    expect(after.info).toMatchObject({ startedAt: 1_789_999_940, workflowInstanceId: 'one', steps: [] })
    const first = { timestamp: now + 1, toStep: 'legal', externalReference: 'one' }
    expect(after.info?.history).toEqual([
      { ...first, action: 'start', fromStep: null, user: eva },
      { ...first, action: 'status_update', fromStep: 'legal', comment: 'Read' },
    ])
  })

  it('shows it of one that was given up, and nobody asks for the rest', () => {
    const after = told(stands.givenUp.record)
    expect(after.info).toMatchObject({ workflowInstanceId: 'one', currentStep: 'legal' })
    expect(after.pending).toMatchObject({ isGivenUp: true, isAdopted: true, until: 0 })
  })

  it.each(['completed', 'cancelled'] as const)('settles it where the workflow is %s', (status) => {
    const settled = { pending: null, ended: { id: start.id, isTaken: true }, info: { status } }
    expect(told(starting, { status })).toMatchObject(settled)
    expect(told(told(starting), { status })).toMatchObject(settled)
  })

  it('is not of an instance that was one of this review before', () => {
    const started = { ...activeInfo.history[0], action: 'start', fromStep: null, toStep: 'legal' } as const
    const history = [...activeInfo.history, { ...started, timestamp: now - 1, externalReference: 'two' }]
    const anew = {
      ...failed,
      info: { ...activeInfo, status: 'error', workflowInstanceId: 'two', history },
    } as const
    expect(called(anew, { said: callbacks.active, at: now })).toBe('mismatch')
    expect(
      called(anew, { said: { ...callbacks.active, workflowInstanceId: 'three' }, at: now }),
    ).toMatchObject({
      info: { workflowInstanceId: 'three' },
    })
  })

  it('is of one instance: another one after it is a mismatch', () => {
    const after = told(starting)
    expect(called(after, { said: callbacks.other, at: now + 1 })).toBe('mismatch')
    expect(calledEvent(after, told(after, { currentStep: 'chief' }))).toBe('status_update')
  })

  it('shows nothing of it where it is of the instance before: the engine may still refuse it', () => {
    const next = told(failed)
    expect(next.pending).toEqual(start)
    expect(calledEvent(failed, next)).toBe('status_update')
    expect(answered(next, refused).record).toMatchObject({ info: next.info, pending: null })
  })

  it('counts after the answer that it came before', () => {
    const { moves, record } = answered({ ...starting, held: [callbacks.active] }, unknown)
    expect(moves.map(({ event }) => event)).toEqual(['start'])
    expect(record).toMatchObject({ held: [], pending: { isAdopted: true } })
  })
})

describe('the answer to a start that the engine told of before', () => {
  const adopted = told(starting)
  const said = {
    workflowInstanceId: 'else',
    currentStep: 'editorial',
    status: 'error',
    nextActionUrl: 'https://engine.example.com/next',
    assignee: lee,
    metadata: { round: 1 },
    steps: activeInfo.steps,
  } as const

  it('says what was not known yet, and nothing else', () => {
    const { record } = answered(adopted, taken(said))
    const { nextActionUrl, assignee, metadata, steps } = said
    expect(record?.info).toEqual({ ...adopted.info, nextActionUrl, assignee, metadata, steps })
    expect(record).toMatchObject({ pending: null, ended: { id: start.id, isTaken: true } })
  })

  it('leaves what the engine told', () => {
    const known = { nextActionUrl: 'https://engine.example.com/told', assignee: eva, metadata: { round: 2 } }
    const before = told(starting, known)
    expect(answered(before, taken(said)).record?.info).toEqual({ ...before.info, steps: said.steps })
  })

  it('is no second start to those who watch', () => {
    expect(answered(adopted, taken(said)).moves.map(({ event }) => event)).toEqual(['status_update'])
  })

  it('can be a refusal, which settles it: that it was taken is known', () => {
    const { record, moves } = answered(adopted, refused)
    expect(record).toEqual({ ...adopted, pending: null, ended: { id: start.id, isTaken: true } })
    expect(moves).toEqual([])
  })

  it('is asked for again until it is there, and no more after the last time', () => {
    expect(answered(adopted, unknown).record).toEqual(adopted)
    expect(answered(adopted, unknown, true).record).toMatchObject({ info: adopted.info, pending: null })
  })
})

describe('a start that is wanted again after it was given up', () => {
  it('is what the engine may have taken then: once it answers, the review has begun', () => {
    const pending = anAction('start', { tries: 8, until: now })
    const { record, moves } = answered({ ...stands.givenUp.record, pending }, taken({ id: 'one' }))
    expect(moves.map(({ event }) => event)).toEqual(['start'])
    expect(record).toMatchObject({ pending: null, ended: { id: pending.id, isTaken: true } })
  })
})
