import type { WorkflowInfo } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { activeInfo, anAction, aRecord, eva, lee, now } from '../../../test/sample-reviews.ts'
import type { PendingAction } from './records.ts'
import { isRepeated, problemOf, type Transition } from './rules.ts'

const problem = (info: Partial<WorkflowInfo>, wanted: Transition) =>
  problemOf(wanted, { state: 'inReview', record: aRecord({ info: { ...activeInfo, ...info } }), at: now })

const stepsThat = (...allowedActions: WorkflowInfo['steps'][number]['allowedActions']) => ({
  steps: [
    { name: 'editorial', label: '', allowedActions, assignedGroups: [] },
    { name: 'legal', label: '', allowedActions: [], assignedGroups: [] },
  ],
})

describe('the actions of a step', () => {
  it('are those that the engine allows', () => {
    const steps = stepsThat('approve', 'cancel')
    const words = 'The step "editorial" takes approve, cancel, not reject.'
    expect(problem(steps, { event: 'approve' })).toBeNull()
    expect(problem(steps, { event: 'cancel' })).toBeNull()
    expect(problem(steps, { event: 'reject' })).toBe(words)
  })

  it('are all where the engine names none for it, of whatever other steps it does', () => {
    expect(problem(stepsThat(), { event: 'reject' })).toBeNull()
    expect(problem({ ...stepsThat('approve'), currentStep: 'legal' }, { event: 'reject' })).toBeNull()
    expect(problem({ ...stepsThat('approve'), currentStep: 'unheard' }, { event: 'reject' })).toBeNull()
    expect(problem({ steps: [] }, { event: 'reject' })).toBeNull()
  })

  it('never hold back who assigns', () => {
    expect(problem(stepsThat('approve'), { event: 'assign' })).toBeNull()
    expect(problem({ nextActionUrl: undefined }, { event: 'assign' })).toBeNull()
  })

  it('are none without an address for them', () => {
    const { nextActionUrl: _url, ...info } = activeInfo
    const record = aRecord({ info })
    expect(problemOf({ event: 'approve' }, { state: 'inReview', record, at: now })).toBe(
      'The engine named no address for the next action.',
    )
  })
})

describe('the step to go to', () => {
  it('is one of the workflow', () => {
    expect(problem({}, { event: 'route', targetStep: 'chief' })).toBeNull()
    expect(problem({}, { event: 'route', targetStep: 'chef' })).toBe(
      'The workflow has no step "chef": there are editorial, legal, chief.',
    )
  })

  it('is any where the engine told of no steps, and may be left to it', () => {
    expect(problem({ steps: [] }, { event: 'route', targetStep: 'chef' })).toBeNull()
    expect(problem({}, { event: 'route' })).toBeNull()
  })
})

describe('an action that is wanted again', () => {
  const sent = { action: 'approve', comment: 'Fine', user: eva }
  const approve = anAction('approve', { body: JSON.stringify(sent) })
  const start = anAction('start', { body: JSON.stringify({ action: 'start', payload: { name: 'Autumn' } }) })

  it('is the one that was asked, whenever that was, and whatever became of it', () => {
    const before = { id: 'WFAC_first', sentAt: 0, until: 0, tries: 4, isGivenUp: true, isOvertaken: true }
    expect(isRepeated({ ...approve, ...before }, approve)).toBe(true)
  })

  it.each<[string, Partial<PendingAction>]>([
    ['does something else', { event: 'reject' }],
    ['goes to another address', { url: 'https://engine.example.com/elsewhere' }],
    ['goes to another engine', { connectionId: 'CONN_2' }],
    ['goes to another step', { body: JSON.stringify({ ...sent, targetStep: 'chief' }) }],
    ['says something else', { body: JSON.stringify({ ...sent, comment: 'Good' }) }],
    ['comes from somebody else', { body: JSON.stringify({ ...sent, user: lee }) }],
    ['tells of a payload alone', { body: JSON.stringify({ payload: sent }) }],
  ])('is another that %s', (_words, wanted) => {
    expect(isRepeated(approve, { ...approve, ...wanted })).toBe(false)
  })

  it('is a start of the same package, whatever that is called by now', () => {
    const body = (members: object) => JSON.stringify({ action: 'start', ...members })
    const again = (members: object) => isRepeated(start, { ...start, body: body(members) })
    expect(again({ payload: { name: 'Winter', state: 'error' } })).toBe(true)
    expect(again({})).toBe(true)
    expect(again({ payload: { name: 'Autumn' }, urgent: true })).toBe(false)
  })
})
