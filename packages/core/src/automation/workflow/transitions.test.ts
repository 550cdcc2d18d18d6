import { limits, PackageState, type EngineAnswer } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import {
  activeInfo,
  anAction,
  aRecord,
  counted,
  eva,
  lee,
  now,
  stands,
} from '../../../test/sample-reviews.ts'
import { rowsOf } from '../../../test/text-table.ts'
import type { WorkflowCallback, WorkflowRecord } from './records.ts'
import { afterAnswer } from './reconcile.ts'
import type { EngineOutcome } from './ask.ts'
import { packageStateAfter } from './review.ts'
import { assigned, called, isAsking, refused, accepted, unknown } from './transitions.ts'

const active = aRecord({ info: activeInfo })
const approve = anAction('approve', { comment: 'Fine' })
const overtaken = { ...approve, isOvertaken: true }

/** What a workflow is after an approval that was answered so. */
const approved = (given: EngineAnswer) => accepted(active, approve, { given, at: now + 1 }).info

const aCallback = (members: Partial<WorkflowCallback> = {}): WorkflowCallback => ({
  workflowInstanceId: 'one',
  currentStep: 'legal',
  status: 'active',
  ...members,
})

/** What a workflow is after a callback that counts. */
function reported(record: WorkflowRecord, members: Partial<WorkflowCallback> = {}): WorkflowRecord {
  return counted(called(record, { given: aCallback(members), at: now + 1 }))
}

describe('an answer', () => {
  it('keeps what it does not name, and takes away what it says is none', () => {
    const { history: _history, ...before } = activeInfo
    expect(approved({})).toMatchObject(before)
    const bare = approved({ nextActionUrl: null, assignee: null, metadata: null, steps: null })
    for (const name of ['nextActionUrl', 'assignee', 'metadata']) expect(bare).not.toHaveProperty(name)
    expect(bare?.steps).toEqual(activeInfo.steps)
  })

  it('keeps what it names', () => {
    const steps = [{ name: 'last', label: 'Last', allowedActions: [], assignedGroups: ['GRUP_1'] }]
    const given = { nextActionUrl: 'https://engine.example.com/b', assignee: eva, metadata: { a: 2 }, steps }
    expect(approved(given)).toMatchObject(given)
  })

  it('leaves who is to act with the step: in the next one it is nobody, unless it says who', () => {
    expect(approved({ currentStep: 'editorial' })?.assignee).toEqual(lee)
    expect(approved({ currentStep: 'legal' })).not.toHaveProperty('assignee')
    expect(approved({ currentStep: 'legal', assignee: eva })?.assignee).toEqual(eva)
  })

  it('adds who did what, when, in which instance, and what they said', () => {
    expect(approved({ currentStep: 'legal' })?.history.at(-1)).toEqual({
      timestamp: now + 1,
      action: 'approve',
      fromStep: 'editorial',
      toStep: 'legal',
      user: eva,
      comment: 'Fine',
      externalReference: 'one',
    })
  })

  it('that completes says when, in seconds of its own time', () => {
    expect(approved({ status: 'completed' })?.completedAt).toBe(1_790_000_001)
    expect(approved({ status: 'error' })).not.toHaveProperty('completedAt')
  })

  it('to what was asked before the end adds to the history alone', () => {
    const given = { currentStep: 'chief', status: 'active', nextActionUrl: null } as const
    const asked = { ...approve, isOvertaken: true }
    const { history, ...end } = accepted(stands.completed.record, asked, { given, at: now + 1 }).info ?? {}
    expect(end).toEqual({ ...stands.completed.record.info, history: undefined })
    expect(history?.at(-1)).toMatchObject({ action: 'approve', fromStep: 'legal', toStep: 'legal' })
  })

  it.each(['completed', 'cancelled'] as const)(
    'that is older than what was told counts whole as %s',
    (status) => {
      const given = { status, currentStep: 'legal', nextActionUrl: null, metadata: { round: 3 } }
      const after = accepted(stands.overtaken.record, overtaken, { given, at: now + 1 }).info
      expect(after).toMatchObject({
        status,
        currentStep: 'legal',
        metadata: { round: 3 },
        completedAt: 1_790_000_001,
      })
      expect(after).not.toHaveProperty('nextActionUrl')
      expect(after?.history.at(-1)).toMatchObject({ action: 'approve', fromStep: 'chief', toStep: 'legal' })
    },
  )

  it('that is older than what was told adds to the history alone where it is no end', () => {
    const given = { currentStep: 'legal', status: 'error', nextActionUrl: null, metadata: null } as const
    const { info } = accepted(stands.overtaken.record, overtaken, { given, at: now + 1 })
    expect({ ...info, history: [] }).toEqual({ ...stands.overtaken.record.info, history: [] })
  })

  it('says how the action ended, of which nothing is pending any more', () => {
    const after = accepted({ ...active, pending: approve }, approve, { given: {}, at: now + 1 })
    expect([after.pending, after.ended]).toEqual([null, { id: approve.id, isInUse: true }])
    const before = refused({ ...active, pending: approve })
    expect([before?.pending, before?.ended]).toEqual([null, { id: approve.id, isInUse: false }])
  })
})

describe('the answer to a start', () => {
  const start = anAction('start', { sentAt: now - 1000 })
  const begun = (given: EngineAnswer, record = aRecord()) =>
    accepted(record, start, { given, at: now + 1 }).info

  it('is all that is known of the workflow, which began when it was sent', () => {
    const { history: _history, startedAt: _startedAt, ...given } = activeInfo
    const user = { timestamp: now + 1, action: 'start', fromStep: null, toStep: 'editorial', user: eva }
    expect(begun(given)).toEqual({
      ...given,
      startedAt: 1_789_999_999,
      history: [{ ...user, externalReference: 'one' }],
    })
  })

  it('names the instance by either name, and the first step where it names no other', () => {
    expect(begun({ id: 'two' })?.workflowInstanceId).toBe('two')
    expect(begun({ id: 'two', workflowInstanceId: 'one' })?.workflowInstanceId).toBe('one')
    expect(begun({ steps: activeInfo.steps })?.currentStep).toBe('editorial')
    expect(begun({})).toMatchObject({ currentStep: 'start', status: 'active', steps: [] })
    expect(begun({})).not.toHaveProperty('workflowInstanceId')
  })

  it('keeps nothing of the workflow before it but the history', () => {
    const again = begun({ id: 'two' }, stands.cancelled.record)
    expect(again?.history.slice(0, -1)).toEqual(stands.cancelled.record.info?.history)
    expect(again).not.toHaveProperty('assignee')
    expect(again).not.toHaveProperty('metadata')
    expect(again).not.toHaveProperty('completedAt')
  })
})

describe('waiting for an answer', () => {
  it('ends with its time, or once it is known that there is none', () => {
    const record = aRecord({ pending: approve })
    expect(isAsking(record, approve.until - 1)).toBe(true)
    expect(isAsking(record, approve.until)).toBe(false)
    expect(isAsking(unknown(record, { at: now, isLast: false }), now)).toBe(false)
    expect(unknown(record, { at: approve.until + 5, isLast: false })).toEqual(record)
    expect(isAsking(active, now)).toBe(false)
  })
})

describe('a callback', () => {
  it('adds what the engine says of itself, of nobody', () => {
    expect(reported(active, { comment: 'Read' }).info?.history.at(-1)).toEqual({
      timestamp: now + 1,
      action: 'status_update',
      fromStep: 'editorial',
      toStep: 'legal',
      comment: 'Read',
      externalReference: 'one',
    })
  })

  it.each<[string, Partial<WorkflowCallback>]>([
    ['another comment', { comment: 'Read again' }],
    ['another address', { nextActionUrl: 'https://engine.example.com/b' }],
    ['somebody who is to act', { assignee: eva }],
    ['other data', { metadata: { round: 2 } }],
    ['another state', { status: 'error' }],
  ])('counts again with %s', (_name, members) => {
    const first = reported(active, { comment: 'Read' })
    expect(reported(first, { comment: 'Read', ...members }).info?.history).toHaveLength(3)
  })

  it('counts again after something else was done', () => {
    const first = reported(active)
    const { info } = first
    const by = { assignee: eva, by: lee, comment: undefined, at: now + 1 }
    const next = { ...first, info: info && assigned(info, by) }
    expect(reported(next).info?.history.map(({ action }) => action)).toEqual([
      'start',
      'status_update',
      'assign',
      'status_update',
    ])
  })

  it('says which instance it is where the engine named none', () => {
    const { workflowInstanceId: _id, ...info } = activeInfo
    expect(reported(aRecord({ info }), { workflowInstanceId: 'two' }).info?.workflowInstanceId).toBe('two')
  })

  it('that waited for an answer counts after it, in its turn, as far as it counts', () => {
    const held = [
      aCallback({ currentStep: 'chief' }),
      aCallback({ currentStep: 'chief' }),
      aCallback({ workflowInstanceId: 'two' }),
      aCallback({ currentStep: 'legal', status: 'completed' }),
      aCallback({ currentStep: 'chief' }),
    ]
    const asked: EngineOutcome = { kind: 'unknown', reason: 'who knows' }
    const before = { ...active, pending: approve, held }
    const { record, moves } = afterAnswer(before, { pending: approve, asked, at: now, isLast: false })
    expect(moves.map(({ event, record: { info } }) => [event, info?.status, info?.currentStep])).toEqual([
      ['status_update', 'active', 'chief'],
      ['status_update', 'completed', 'legal'],
      ['status_update', 'active', 'chief'],
    ])
    expect(record?.info?.history).toHaveLength(4)
    expect(record?.held).toEqual([])
  })
})

describe('the history', () => {
  it('keeps the newest entries', () => {
    const history = Array.from({ length: limits.workflowHistory }, (_, index) =>
      activeInfo.history.map((entry) => ({ ...entry, timestamp: index })),
    ).flat()
    const after = reported(aRecord({ info: { ...activeInfo, history } })).info?.history ?? []
    expect(after).toHaveLength(limits.workflowHistory)
    expect([after.at(0)?.timestamp, after.at(-1)?.timestamp]).toEqual([1, now + 1])
  })

  it('says who was assigned by whom', () => {
    const info = assigned(activeInfo, { assignee: eva, by: lee, comment: 'Please', at: now })
    expect(info.assignee).toEqual(eva)
    expect(info.history.at(-1)).toEqual({
      timestamp: now,
      action: 'assign',
      fromStep: 'editorial',
      toStep: 'editorial',
      user: lee,
      comment: 'Please',
    })
  })
})

describe('the package', () => {
  const events = ['start', 'approve', 'reject', 'route', 'cancel', 'status_update'] as const
  const states = ['open', 'inReview', 'completed', 'scheduled', 'error'] as const
  const table = rowsOf(
    ['event', ...states],
    `
    event          open      inReview  completed  scheduled  error
    start          inReview  inReview  inReview   inReview   inReview
    approve        inReview  inReview  inReview   inReview   inReview
    reject         open      open      open       open       open
    route          inReview  inReview  inReview   inReview   inReview
    cancel         inReview  inReview  inReview   inReview   inReview
    status_update  inReview  inReview  inReview   inReview   inReview
    `,
  )

  it.each(events)('after %s is what the table says where the workflow goes on', (event) => {
    const statuses = { status: 'active', was: 'completed' } as const
    const after = states.map((state) => [state, packageStateAfter(state, event, statuses)])
    expect(Object.fromEntries(after)).toEqual({
      ...table.find((row) => row.event === event),
      event: undefined,
    })
  })

  it.each(['active', 'completed', 'cancelled', 'error'] as const)(
    'stays what it is when the engine tells that it is %s still',
    (status) => {
      for (const before of PackageState.options)
        expect(packageStateAfter(before, 'status_update', { status, was: status })).toBe(before)
    },
  )

  it.each(events)('after %s goes with a workflow that does not go on', (event) => {
    for (const before of PackageState.options) {
      expect(packageStateAfter(before, event, { status: 'completed', was: 'active' })).toBe('completed')
      expect(packageStateAfter(before, event, { status: 'error', was: 'active' })).toBe('error')
      expect(packageStateAfter(before, event, { status: 'cancelled', was: 'active' })).toBe('open')
    }
  })
})
