import type { WorkflowInfo } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { activeInfo, anAction, aRecord, eva, lee, now } from '../../../test/sample-reviews.ts'
import type { PendingAction } from './records.ts'
import { isRepeated, problemOf, type Transition } from './rules.ts'

const problem = (info: Partial<WorkflowInfo>, requested: Transition) =>
  problemOf(requested, { state: 'inReview', record: aRecord({ info: { ...activeInfo, ...info } }), at: now })

const stepsThat = (...allowedActions: WorkflowInfo['steps'][number]['allowedActions']) => ({
  steps: [
    { name: 'editorial', label: '', allowedActions, assignedGroups: [] },
    { name: 'legal', label: '', allowedActions: [], assignedGroups: [] },
  ],
})

describe('the actions of a step', () => {
  it('are those that the engine allows', () => {
    const steps = stepsThat('approve', 'cancel')
    const words = 'The step "editorial" allows approve, cancel, but not reject.'
    expect(problem(steps, { event: 'approve' })).toBeNull()
    expect(problem(steps, { event: 'cancel' })).toBeNull()
    expect(problem(steps, { event: 'reject' })).toBe(words)
  })

  it('are all if the engine names none for the step, even if it names some for other steps', () => {
    expect(problem(stepsThat(), { event: 'reject' })).toBeNull()
    expect(problem({ ...stepsThat('approve'), currentStep: 'legal' }, { event: 'reject' })).toBeNull()
    expect(problem({ ...stepsThat('approve'), currentStep: 'unheard' }, { event: 'reject' })).toBeNull()
    expect(problem({ steps: [] }, { event: 'reject' })).toBeNull()
  })

  it('do not limit assigning', () => {
    expect(problem(stepsThat('approve'), { event: 'assign' })).toBeNull()
    expect(problem({ nextActionUrl: undefined }, { event: 'assign' })).toBeNull()
  })

  it('are none without an address for the next action', () => {
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
      'The workflow has no step "chef". Its steps are editorial, legal, chief.',
    )
  })

  it('can be any if the engine named no steps, and can be left out', () => {
    expect(problem({ steps: [] }, { event: 'route', targetStep: 'chef' })).toBeNull()
    expect(problem({}, { event: 'route' })).toBeNull()
  })
})

describe('a requested action', () => {
  const sent = { action: 'approve', comment: 'Fine', user: eva }
  const approve = anAction('approve', { body: JSON.stringify(sent) })
  const start = anAction('start', { body: JSON.stringify({ action: 'start', payload: { name: 'Autumn' } }) })

  it('repeats the pending one, however old it is, and whatever its outcome', () => {
    const before = { id: 'WFAC_first', sentAt: 0, until: 0, tries: 4, isGivenUp: true, isOvertaken: true }
    expect(isRepeated({ ...approve, ...before }, approve)).toBe(true)
  })

  it.each<[string, Partial<PendingAction>]>([
    ['does something else', { event: 'reject' }],
    ['goes to another address', { url: 'https://engine.example.com/elsewhere' }],
    ['goes to another engine', { connectionId: 'CONN_2' }],
    ['goes to another step', { body: JSON.stringify({ ...sent, targetStep: 'chief' }) }],
    ['has another comment', { body: JSON.stringify({ ...sent, comment: 'Good' }) }],
    ['comes from somebody else', { body: JSON.stringify({ ...sent, user: lee }) }],
    ['has only a payload', { body: JSON.stringify({ payload: sent }) }],
  ])('is a different one if it %s', (_words, members) => {
    expect(isRepeated(approve, { ...approve, ...members })).toBe(false)
  })

  it('repeats a start of the same package, even if the package was changed since', () => {
    const body = (members: object) => JSON.stringify({ action: 'start', ...members })
    const again = (members: object) => isRepeated(start, { ...start, body: body(members) })
    expect(again({ payload: { name: 'Winter', state: 'error' } })).toBe(true)
    expect(again({})).toBe(true)
    expect(again({ payload: { name: 'Autumn' }, urgent: true })).toBe(false)
  })
})
