import { describe, expect, it } from 'vitest'
import { aRecord, activeInfo, anAction, now } from '../../../test/sample-reviews.ts'
import type { WorkflowCallback } from './records.ts'
import { applyOutcome } from './reconcile.ts'
import { applyCallback } from './transitions.ts'

function reported(currentStep: string): WorkflowCallback {
  return { workflowInstanceId: 'one', currentStep, status: 'active', comment: `Now ${currentStep}` }
}

describe('a callback that was held when a process ended', () => {
  // The process that posted the action is gone, so that nobody waits for the answer any more.
  const later = now + 60_000
  const pending = { start: anAction('start'), approve: anAction('approve') }
  const waiting = [
    ['start', aRecord({ info: null, pending: pending.start, held: [reported('legal')] })],
    ['approve', aRecord({ info: activeInfo, pending: pending.approve, held: [reported('legal')] })],
  ] as const

  it.each(waiting)('during a %s is applied before later callbacks', (event, record) => {
    expect(applyCallback(record, { given: reported('chief'), at: later })).toBe('held')
    const held = [...record.held, reported('chief')]
    const asked = { kind: 'unknown', reason: 'It gave no answer' } as const
    const answered = { pending: pending[event], asked, at: later, isLast: false }
    const { record: after } = applyOutcome({ ...record, held }, answered)
    expect(after?.held).toEqual([])
    expect(after?.info?.currentStep).toBe('chief')
    const comments = after?.info?.history.map(({ comment }) => comment)
    expect(comments?.slice(-2)).toEqual(['Now legal', 'Now chief'])
  })
})
