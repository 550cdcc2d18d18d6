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
import { applyOutcome } from './reconcile.ts'
import type { EngineOutcome } from './ask.ts'
import { packageStateAfter } from './review.ts'
import { assignTo, applyCallback, isAsking, applyRefusal, applyAnswer, applyUnknown } from './transitions.ts'

const active = aRecord({ info: activeInfo })
const approve = anAction('approve', { comment: 'Fine' })
const overtaken = { ...approve, isOvertaken: true }

/** A workflow after an approval with this answer. */
const approved = (given: EngineAnswer) => applyAnswer(active, approve, { given, at: now + 1 }).info

const aCallback = (members: Partial<WorkflowCallback> = {}): WorkflowCallback => ({
  workflowInstanceId: 'one',
  currentStep: 'legal',
  status: 'active',
  ...members,
})

/** A workflow after a callback that takes effect. */
function reported(record: WorkflowRecord, members: Partial<WorkflowCallback> = {}): WorkflowRecord {
  return counted(applyCallback(record, { given: aCallback(members), at: now + 1 }))
}

describe('an answer', () => {
  it('keeps absent members, and removes those that are null', () => {
    const { history: _history, ...before } = activeInfo
    expect(approved({})).toMatchObject(before)
    const bare = approved({ nextActionUrl: null, assignee: null, metadata: null, steps: null })
    for (const name of ['nextActionUrl', 'assignee', 'metadata']) expect(bare).not.toHaveProperty(name)
    expect(bare?.steps).toEqual(activeInfo.steps)
  })

  it('sets the members that it has', () => {
    const steps = [{ name: 'last', label: 'Last', allowedActions: [], assignedGroups: ['GRUP_1'] }]
    const given = { nextActionUrl: 'https://engine.example.com/b', assignee: eva, metadata: { a: 2 }, steps }
    expect(approved(given)).toMatchObject(given)
  })

  it('keeps the assignee only in the same step, unless it names another', () => {
    expect(approved({ currentStep: 'editorial' })?.assignee).toEqual(lee)
    expect(approved({ currentStep: 'legal' })).not.toHaveProperty('assignee')
    expect(approved({ currentStep: 'legal', assignee: eva })?.assignee).toEqual(eva)
  })

  it('adds an entry to the history: who did what, when, in which instance, with which comment', () => {
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

  it('that completes the workflow sets the time of its arrival, in seconds', () => {
    expect(approved({ status: 'completed' })?.completedAt).toBe(1_790_000_001)
    expect(approved({ status: 'error' })).not.toHaveProperty('completedAt')
  })

  it('to an action from before the end is only added to the history', () => {
    const given = { currentStep: 'chief', status: 'active', nextActionUrl: null } as const
    const asked = { ...approve, isOvertaken: true }
    const { history, ...end } = applyAnswer(stands.completed.record, asked, { given, at: now + 1 }).info ?? {}
    expect(end).toEqual({ ...stands.completed.record.info, history: undefined })
    expect(history?.at(-1)).toMatchObject({ action: 'approve', fromStep: 'legal', toStep: 'legal' })
  })

  it.each(['completed', 'cancelled'] as const)(
    'that is older than a callback is applied completely if it is %s',
    (status) => {
      const given = { status, currentStep: 'legal', nextActionUrl: null, metadata: { round: 3 } }
      const after = applyAnswer(stands.overtaken.record, overtaken, { given, at: now + 1 }).info
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

  it('that is older than a callback is otherwise only added to the history', () => {
    const given = { currentStep: 'legal', status: 'error', nextActionUrl: null, metadata: null } as const
    const { info } = applyAnswer(stands.overtaken.record, overtaken, { given, at: now + 1 })
    expect({ ...info, history: [] }).toEqual({ ...stands.overtaken.record.info, history: [] })
  })

  it('ends the pending action and records how it ended', () => {
    const after = applyAnswer({ ...active, pending: approve }, approve, { given: {}, at: now + 1 })
    expect([after.pending, after.ended]).toEqual([null, { id: approve.id, isInUse: true }])
    const before = applyRefusal({ ...active, pending: approve })
    expect([before?.pending, before?.ended]).toEqual([null, { id: approve.id, isInUse: false }])
  })
})

describe('the answer to a start', () => {
  const start = anAction('start', { sentAt: now - 1000 })
  const begun = (given: EngineAnswer, record = aRecord()) =>
    applyAnswer(record, start, { given, at: now + 1 }).info

  it('is the whole workflow, which began when the start was sent', () => {
    const { history: _history, startedAt: _startedAt, ...given } = activeInfo
    const user = { timestamp: now + 1, action: 'start', fromStep: null, toStep: 'editorial', user: eva }
    expect(begun(given)).toEqual({
      ...given,
      startedAt: 1_789_999_999,
      history: [{ ...user, externalReference: 'one' }],
    })
  })

  it('can name the instance in two ways, and defaults to the first step', () => {
    expect(begun({ id: 'two' })?.workflowInstanceId).toBe('two')
    expect(begun({ id: 'two', workflowInstanceId: 'one' })?.workflowInstanceId).toBe('one')
    expect(begun({ steps: activeInfo.steps })?.currentStep).toBe('editorial')
    expect(begun({})).toMatchObject({ currentStep: 'start', status: 'active', steps: [] })
    expect(begun({})).not.toHaveProperty('workflowInstanceId')
  })

  it('keeps only the history of the workflow before it', () => {
    const again = begun({ id: 'two' }, stands.cancelled.record)
    expect(again?.history.slice(0, -1)).toEqual(stands.cancelled.record.info?.history)
    expect(again).not.toHaveProperty('assignee')
    expect(again).not.toHaveProperty('metadata')
    expect(again).not.toHaveProperty('completedAt')
  })
})

describe('waiting for an answer', () => {
  it('ends at its timeout, or when there is no conclusive answer', () => {
    const record = aRecord({ pending: approve })
    expect(isAsking(record, approve.until - 1)).toBe(true)
    expect(isAsking(record, approve.until)).toBe(false)
    expect(isAsking(applyUnknown(record, { at: now, isLast: false }), now)).toBe(false)
    expect(applyUnknown(record, { at: approve.until + 5, isLast: false })).toEqual(record)
    expect(isAsking(active, now)).toBe(false)
  })
})

describe('a callback', () => {
  it('adds an entry without a user', () => {
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
  ])('takes effect again with %s', (_name, members) => {
    const first = reported(active, { comment: 'Read' })
    expect(reported(first, { comment: 'Read', ...members }).info?.history).toHaveLength(3)
  })

  it('takes effect again after another event', () => {
    const first = reported(active)
    const { info } = first
    const by = { assignee: eva, by: lee, comment: undefined, at: now + 1 }
    const next = { ...first, info: info && assignTo(info, by) }
    expect(reported(next).info?.history.map(({ action }) => action)).toEqual([
      'start',
      'status_update',
      'assign',
      'status_update',
    ])
  })

  it('sets the instance if the engine named none', () => {
    const { workflowInstanceId: _id, ...info } = activeInfo
    expect(reported(aRecord({ info }), { workflowInstanceId: 'two' }).info?.workflowInstanceId).toBe('two')
  })

  it('that was held is applied after the answer, in order', () => {
    const held = [
      aCallback({ currentStep: 'chief' }),
      aCallback({ currentStep: 'chief' }),
      aCallback({ workflowInstanceId: 'two' }),
      aCallback({ currentStep: 'legal', status: 'completed' }),
      aCallback({ currentStep: 'chief' }),
    ]
    const asked: EngineOutcome = { kind: 'unknown', reason: 'who knows' }
    const before = { ...active, pending: approve, held }
    const { record, moves } = applyOutcome(before, { pending: approve, asked, at: now, isLast: false })
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

  it('shows who was assigned by whom', () => {
    const info = assignTo(activeInfo, { assignee: eva, by: lee, comment: 'Please', at: now })
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

  it.each(events)('after %s is in the state of the table if the workflow is active', (event) => {
    const statuses = { status: 'active', was: 'completed' } as const
    const after = states.map((state) => [state, packageStateAfter(state, event, statuses)])
    expect(Object.fromEntries(after)).toEqual({
      ...table.find((row) => row.event === event),
      event: undefined,
    })
  })

  it.each(['active', 'completed', 'cancelled', 'error'] as const)(
    'does not change when the engine reports the same status %s again',
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
