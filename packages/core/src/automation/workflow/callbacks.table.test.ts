import { describe, expect, it } from 'vitest'
import { expectLawful } from '../../../test/review-laws.ts'
import {
  aRecord,
  callbacks,
  entryOf,
  now,
  stands,
  wordOf,
  counted,
  stateAfter,
  type Stand,
} from '../../../test/sample-reviews.ts'
import { named, rowsOf } from '../../../test/text-table.ts'
import { applyCallback, eventOfCallback } from './transitions.ts'

/**
 * The result of a callback in each state of the workflow. `?`: an action stays pending; `!`: it is
 * given up; a word alone: the workflow does not change, for that reason. `same` reports the step
 * "chief" and all others "legal"; `other` is from another instance.
 */
const table = rowsOf(
  ['where', 'callback', 'result', 'package', 'history'],
  `
  where         callback   result            package    history
  starting      active     held              open       -
  starting      completed  held              open       -
  starting      cancelled  held              open       -
  starting      error      held              open       -
  starting      same       held              open       -
  starting      other      held              open       -
  startUnknown  active     active@legal?     inReview   start:>legal+status_update:legal>legal
  startUnknown  completed  completed@legal   completed  start:>legal+status_update:legal>legal
  startUnknown  cancelled  cancelled@legal   open       start:>legal+status_update:legal>legal
  startUnknown  error      error@legal?      error      start:>legal+status_update:legal>legal
  startUnknown  same       active@chief?     inReview   start:>chief+status_update:chief>chief
  startUnknown  other      active@legal?     inReview   start:>legal+status_update:legal>legal
  givenUp       active     active@legal!     inReview   start:>legal+status_update:legal>legal
  givenUp       completed  completed@legal   completed  start:>legal+status_update:legal>legal
  givenUp       cancelled  cancelled@legal   open       start:>legal+status_update:legal>legal
  givenUp       error      error@legal!      error      start:>legal+status_update:legal>legal
  givenUp       same       active@chief!     inReview   start:>chief+status_update:chief>chief
  givenUp       other      active@legal!     inReview   start:>legal+status_update:legal>legal
  adopted       active     active@legal?     inReview   status_update:chief>legal
  adopted       completed  completed@legal   completed  status_update:chief>legal
  adopted       cancelled  cancelled@legal   open       status_update:chief>legal
  adopted       error      error@legal?      error      status_update:chief>legal
  adopted       same       same              inReview   -
  adopted       other      mismatch          inReview   -
  active        active     active@legal      inReview   status_update:editorial>legal
  active        completed  completed@legal   completed  status_update:editorial>legal
  active        cancelled  cancelled@legal   open       status_update:editorial>legal
  active        error      error@legal       error      status_update:editorial>legal
  active        same       active@chief      inReview   status_update:editorial>chief
  active        other      mismatch          inReview   -
  asking        active     held              inReview   -
  asking        completed  held              inReview   -
  asking        cancelled  held              inReview   -
  asking        error      held              inReview   -
  asking        same       held              inReview   -
  asking        other      held              inReview   -
  unknown       active     active@legal?     inReview   status_update:editorial>legal
  unknown       completed  completed@legal?  completed  status_update:editorial>legal
  unknown       cancelled  cancelled@legal?  open       status_update:editorial>legal
  unknown       error      error@legal?      error      status_update:editorial>legal
  unknown       same       active@chief?     inReview   status_update:editorial>chief
  unknown       other      mismatch          inReview   -
  overtaken     active     active@legal?     inReview   status_update:chief>legal
  overtaken     completed  completed@legal?  completed  status_update:chief>legal
  overtaken     cancelled  cancelled@legal?  open       status_update:chief>legal
  overtaken     error      error@legal?      error      status_update:chief>legal
  overtaken     same       same              inReview   -
  overtaken     other      mismatch          inReview   -
  error         active     active@legal      inReview   status_update:editorial>legal
  error         completed  completed@legal   completed  status_update:editorial>legal
  error         cancelled  cancelled@legal   open       status_update:editorial>legal
  error         error      error@legal       error      status_update:editorial>legal
  error         same       active@chief      inReview   status_update:editorial>chief
  error         other      mismatch          error      -
  errorGivenUp  active     active@legal!     inReview   status_update:editorial>legal
  errorGivenUp  completed  completed@legal!  completed  status_update:editorial>legal
  errorGivenUp  cancelled  cancelled@legal!  open       status_update:editorial>legal
  errorGivenUp  error      error@legal!      error      status_update:editorial>legal
  errorGivenUp  same       active@chief!     inReview   status_update:editorial>chief
  errorGivenUp  other      active@legal!     inReview   start:>legal+status_update:legal>legal
  completed     active     active@legal      inReview   status_update:legal>legal
  completed     completed  same              completed  -
  completed     cancelled  cancelled@legal   open       status_update:legal>legal
  completed     error      error@legal       error      status_update:legal>legal
  completed     same       active@chief      inReview   status_update:legal>chief
  completed     other      mismatch          completed  -
  cancelled     active     active@legal      inReview   status_update:legal>legal
  cancelled     completed  completed@legal   completed  status_update:legal>legal
  cancelled     cancelled  same              open       -
  cancelled     error      error@legal       error      status_update:legal>legal
  cancelled     same       active@chief      inReview   status_update:legal>chief
  cancelled     other      mismatch          open       -
  merged        active     completed@legal   merged     status_update:legal>legal
  merged        completed  same              merged     -
  merged        cancelled  completed@legal   merged     status_update:legal>legal
  merged        error      completed@legal   merged     status_update:legal>legal
  merged        same       completed@legal   merged     status_update:legal>legal
  merged        other      mismatch          merged     -
  `,
)

/**
 * A package without a workflow gets no callbacks: its engine cannot be authenticated and is
 * rejected before.
 */
const reviewed = Object.entries<Stand>(stands).filter(([, { record }]) => record !== null)

function notify(where: string, what: string) {
  const stand: Stand = named(stands, where)
  const given = named(callbacks, what)
  const record = stand.record ?? aRecord()
  const isMerged = stand.state === 'merged'
  return { stand, record, given, isMerged, next: applyCallback(record, { given, at: now, isMerged }) }
}

/** The cells of the table for the result of a callback. */
function wordsFor(where: string, what: string): readonly (string | null)[] {
  const { stand, record, next } = notify(where, what)
  if (typeof next === 'string') return [next, stand.state, '-']
  const { info } = next
  const event = eventOfCallback(record, next)
  const state = info && stateAfter(stand, [{ event, record: next }])
  return [wordOf(next), state, entryOf(record, next)]
}

describe('a callback', () => {
  it('is in the table for each state with a workflow', () => {
    const all = reviewed.flatMap(([where]) => Object.keys(callbacks).map((what) => `${where} ${what}`))
    expect(table.map(({ where, callback }) => `${where} ${callback}`)).toEqual(all)
  })

  it.each(table)('$where: $callback results in $result', (row) => {
    expect(wordsFor(row.where, row.callback)).toEqual([row.result, row.package, row.history])
  })

  const counting = table.filter(({ history }) => history !== '-')

  it.each(counting)('$where: a repeat of $callback changes nothing', ({ where, callback }) => {
    const { given, isMerged, next } = notify(where, callback)
    expect(applyCallback(counted(next), { given, at: now + 1, isMerged })).toBe('same')
  })

  it.each(counting)('$where: $callback keeps the instance and the history', (row) => {
    const { record, given, next } = notify(row.where, row.callback)
    const after = counted(next)
    expectLawful(record, after)
    expect(after.info?.workflowInstanceId).toBe(given.workflowInstanceId)
    const isOver = row.package === 'merged' || given.status === 'completed' || given.status === 'cancelled'
    const isSame = record.info?.status === after.info?.status
    const ended = isSame ? record.info?.completedAt : 1_790_000_000
    expect(after.info?.completedAt).toBe(isOver ? ended : undefined)
  })
})
