import { describe, expect, it } from 'vitest'
import { addedTo, expectLawful } from '../../../test/review-laws.ts'
import {
  actions,
  answeredWith,
  answers,
  entryOf,
  eva,
  now,
  stands,
  wordOf,
  type Action,
  type Stand,
} from '../../../test/sample-reviews.ts'
import { named, rowsOf } from '../../../test/text-table.ts'
import { problemOf } from './rules.ts'

/**
 * The result of each action by the answer of the engine. An unresolved action is repeated;
 * otherwise each action that the rules allow is in the table. `?`: the action stays pending; `!`:
 * it is given up. `step` leads to "legal", the others name no step; `refused` is 422, `gone` 404. A
 * lost instance is an error, so that a review can be started again. A cancel deletes, whatever the
 * answer is.
 */
const table = rowsOf(
  ['where', 'event', 'answer', 'workflow', 'package', 'history'],
  `
  where         event    answer     workflow             package    history
  none          start    step       active@legal         inReview   start:>legal
  none          start    completed  completed@start      completed  start:>start
  none          start    error      error@start          error      start:>start
  none          start    cancelled  cancelled@start      open       start:>start
  none          start    empty      active@start         inReview   start:>start
  none          start    refused    -                    open       -
  none          start    gone       -                    open       -
  none          start    unknown    ?                    open       -
  startUnknown  start    step       active@legal         inReview   start:>legal
  startUnknown  start    completed  completed@start      completed  start:>start
  startUnknown  start    error      error@start          error      start:>start
  startUnknown  start    cancelled  cancelled@start      open       start:>start
  startUnknown  start    empty      active@start         inReview   start:>start
  startUnknown  start    refused    !                    open       -
  startUnknown  start    gone       !                    open       -
  startUnknown  start    unknown    ?                    open       -
  givenUp       start    step       active@legal         inReview   start:>legal
  givenUp       start    completed  completed@start      completed  start:>start
  givenUp       start    error      error@start          error      start:>start
  givenUp       start    cancelled  cancelled@start      open       start:>start
  givenUp       start    empty      active@start         inReview   start:>start
  givenUp       start    refused    !                    open       -
  givenUp       start    gone       !                    open       -
  givenUp       start    unknown    ?                    open       -
  adopted       start    step       active@chief         inReview   -
  adopted       start    completed  active@chief         inReview   -
  adopted       start    error      active@chief         inReview   -
  adopted       start    cancelled  active@chief         inReview   -
  adopted       start    empty      active@chief         inReview   -
  adopted       start    refused    active@chief         inReview   -
  adopted       start    gone       active@chief         inReview   -
  adopted       start    unknown    active@chief?        inReview   -
  adopted       cancel   step       cancelled@legal      deleted    cancel:chief>legal
  adopted       cancel   completed  completed@chief      deleted    cancel:chief>chief
  adopted       cancel   error      cancelled@chief      deleted    cancel:chief>chief
  adopted       cancel   cancelled  cancelled@chief      deleted    cancel:chief>chief
  adopted       cancel   empty      cancelled@chief      deleted    cancel:chief>chief
  adopted       cancel   refused    cancelled@chief      deleted    cancel:chief>chief+status_update:chief>chief
  adopted       cancel   gone       cancelled@chief      deleted    cancel:chief>chief+status_update:chief>chief
  adopted       cancel   unknown    cancelled@chief      deleted    cancel:chief>chief+status_update:chief>chief
  active        approve  step       active@legal         inReview   approve:editorial>legal
  active        approve  completed  completed@editorial  completed  approve:editorial>editorial
  active        approve  error      error@editorial      error      approve:editorial>editorial
  active        approve  cancelled  cancelled@editorial  open       approve:editorial>editorial
  active        approve  empty      active@editorial     inReview   approve:editorial>editorial
  active        approve  refused    active@editorial     inReview   -
  active        approve  gone       error@editorial      error      status_update:editorial>editorial
  active        approve  unknown    active@editorial?    inReview   -
  active        reject   step       active@legal         open       reject:editorial>legal
  active        reject   completed  completed@editorial  completed  reject:editorial>editorial
  active        reject   error      error@editorial      error      reject:editorial>editorial
  active        reject   cancelled  cancelled@editorial  open       reject:editorial>editorial
  active        reject   empty      active@editorial     open       reject:editorial>editorial
  active        reject   refused    active@editorial     inReview   -
  active        reject   gone       error@editorial      error      status_update:editorial>editorial
  active        reject   unknown    active@editorial?    inReview   -
  active        route    step       active@legal         inReview   route:editorial>legal
  active        route    completed  completed@editorial  completed  route:editorial>editorial
  active        route    error      error@editorial      error      route:editorial>editorial
  active        route    cancelled  cancelled@editorial  open       route:editorial>editorial
  active        route    empty      active@editorial     inReview   route:editorial>editorial
  active        route    refused    active@editorial     inReview   -
  active        route    gone       error@editorial      error      status_update:editorial>editorial
  active        route    unknown    active@editorial?    inReview   -
  active        cancel   step       cancelled@legal      deleted    cancel:editorial>legal
  active        cancel   completed  completed@editorial  deleted    cancel:editorial>editorial
  active        cancel   error      cancelled@editorial  deleted    cancel:editorial>editorial
  active        cancel   cancelled  cancelled@editorial  deleted    cancel:editorial>editorial
  active        cancel   empty      cancelled@editorial  deleted    cancel:editorial>editorial
  active        cancel   refused    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  active        cancel   gone       cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  active        cancel   unknown    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  asking        cancel   step       cancelled@legal      deleted    cancel:editorial>legal
  asking        cancel   completed  completed@editorial  deleted    cancel:editorial>editorial
  asking        cancel   error      cancelled@editorial  deleted    cancel:editorial>editorial
  asking        cancel   cancelled  cancelled@editorial  deleted    cancel:editorial>editorial
  asking        cancel   empty      cancelled@editorial  deleted    cancel:editorial>editorial
  asking        cancel   refused    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  asking        cancel   gone       cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  asking        cancel   unknown    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  unknown       approve  step       active@legal         inReview   approve:editorial>legal
  unknown       approve  completed  completed@editorial  completed  approve:editorial>editorial
  unknown       approve  error      error@editorial      error      approve:editorial>editorial
  unknown       approve  cancelled  cancelled@editorial  open       approve:editorial>editorial
  unknown       approve  empty      active@editorial     inReview   approve:editorial>editorial
  unknown       approve  refused    active@editorial     inReview   -
  unknown       approve  gone       error@editorial      error      status_update:editorial>editorial
  unknown       approve  unknown    active@editorial?    inReview   -
  unknown       cancel   step       cancelled@legal      deleted    cancel:editorial>legal
  unknown       cancel   completed  completed@editorial  deleted    cancel:editorial>editorial
  unknown       cancel   error      cancelled@editorial  deleted    cancel:editorial>editorial
  unknown       cancel   cancelled  cancelled@editorial  deleted    cancel:editorial>editorial
  unknown       cancel   empty      cancelled@editorial  deleted    cancel:editorial>editorial
  unknown       cancel   refused    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  unknown       cancel   gone       cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  unknown       cancel   unknown    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  overtaken     approve  step       active@chief         inReview   approve:chief>chief
  overtaken     approve  completed  completed@chief      completed  approve:chief>chief
  overtaken     approve  error      active@chief         inReview   approve:chief>chief
  overtaken     approve  cancelled  cancelled@chief      open       approve:chief>chief
  overtaken     approve  empty      active@chief         inReview   approve:chief>chief
  overtaken     approve  refused    active@chief         inReview   -
  overtaken     approve  gone       active@chief         inReview   approve:chief>chief
  overtaken     approve  unknown    active@chief?        inReview   -
  overtaken     cancel   step       cancelled@legal      deleted    cancel:chief>legal
  overtaken     cancel   completed  completed@chief      deleted    cancel:chief>chief
  overtaken     cancel   error      cancelled@chief      deleted    cancel:chief>chief
  overtaken     cancel   cancelled  cancelled@chief      deleted    cancel:chief>chief
  overtaken     cancel   empty      cancelled@chief      deleted    cancel:chief>chief
  overtaken     cancel   refused    cancelled@chief      deleted    cancel:chief>chief+status_update:chief>chief
  overtaken     cancel   gone       cancelled@chief      deleted    cancel:chief>chief+status_update:chief>chief
  overtaken     cancel   unknown    cancelled@chief      deleted    cancel:chief>chief+status_update:chief>chief
  error         start    step       active@legal         inReview   start:>legal
  error         start    completed  completed@start      completed  start:>start
  error         start    error      error@start          error      start:>start
  error         start    cancelled  cancelled@start      open       start:>start
  error         start    empty      active@start         inReview   start:>start
  error         start    refused    error@editorial      error      -
  error         start    gone       error@editorial      error      -
  error         start    unknown    error@editorial?     error      -
  error         approve  step       error@legal          error      approve:editorial>legal
  error         approve  completed  completed@editorial  completed  approve:editorial>editorial
  error         approve  error      error@editorial      error      approve:editorial>editorial
  error         approve  cancelled  cancelled@editorial  open       approve:editorial>editorial
  error         approve  empty      error@editorial      error      approve:editorial>editorial
  error         approve  refused    error@editorial      error      -
  error         approve  gone       error@editorial      error      status_update:editorial>editorial
  error         approve  unknown    error@editorial?     error      -
  error         reject   step       error@legal          error      reject:editorial>legal
  error         reject   completed  completed@editorial  completed  reject:editorial>editorial
  error         reject   error      error@editorial      error      reject:editorial>editorial
  error         reject   cancelled  cancelled@editorial  open       reject:editorial>editorial
  error         reject   empty      error@editorial      error      reject:editorial>editorial
  error         reject   refused    error@editorial      error      -
  error         reject   gone       error@editorial      error      status_update:editorial>editorial
  error         reject   unknown    error@editorial?     error      -
  error         route    step       error@legal          error      route:editorial>legal
  error         route    completed  completed@editorial  completed  route:editorial>editorial
  error         route    error      error@editorial      error      route:editorial>editorial
  error         route    cancelled  cancelled@editorial  open       route:editorial>editorial
  error         route    empty      error@editorial      error      route:editorial>editorial
  error         route    refused    error@editorial      error      -
  error         route    gone       error@editorial      error      status_update:editorial>editorial
  error         route    unknown    error@editorial?     error      -
  error         cancel   step       cancelled@legal      deleted    cancel:editorial>legal
  error         cancel   completed  completed@editorial  deleted    cancel:editorial>editorial
  error         cancel   error      cancelled@editorial  deleted    cancel:editorial>editorial
  error         cancel   cancelled  cancelled@editorial  deleted    cancel:editorial>editorial
  error         cancel   empty      cancelled@editorial  deleted    cancel:editorial>editorial
  error         cancel   refused    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  error         cancel   gone       cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  error         cancel   unknown    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  errorGivenUp  start    step       active@legal         inReview   start:>legal
  errorGivenUp  start    completed  completed@start      completed  start:>start
  errorGivenUp  start    error      error@start          error      start:>start
  errorGivenUp  start    cancelled  cancelled@start      open       start:>start
  errorGivenUp  start    empty      active@start         inReview   start:>start
  errorGivenUp  start    refused    error@editorial!     error      -
  errorGivenUp  start    gone       error@editorial!     error      -
  errorGivenUp  start    unknown    error@editorial?     error      -
  errorGivenUp  approve  step       error@legal          error      approve:editorial>legal
  errorGivenUp  approve  completed  completed@editorial  completed  approve:editorial>editorial
  errorGivenUp  approve  error      error@editorial      error      approve:editorial>editorial
  errorGivenUp  approve  cancelled  cancelled@editorial  open       approve:editorial>editorial
  errorGivenUp  approve  empty      error@editorial      error      approve:editorial>editorial
  errorGivenUp  approve  refused    error@editorial      error      -
  errorGivenUp  approve  gone       error@editorial      error      status_update:editorial>editorial
  errorGivenUp  approve  unknown    error@editorial?     error      -
  errorGivenUp  reject   step       error@legal          error      reject:editorial>legal
  errorGivenUp  reject   completed  completed@editorial  completed  reject:editorial>editorial
  errorGivenUp  reject   error      error@editorial      error      reject:editorial>editorial
  errorGivenUp  reject   cancelled  cancelled@editorial  open       reject:editorial>editorial
  errorGivenUp  reject   empty      error@editorial      error      reject:editorial>editorial
  errorGivenUp  reject   refused    error@editorial      error      -
  errorGivenUp  reject   gone       error@editorial      error      status_update:editorial>editorial
  errorGivenUp  reject   unknown    error@editorial?     error      -
  errorGivenUp  route    step       error@legal          error      route:editorial>legal
  errorGivenUp  route    completed  completed@editorial  completed  route:editorial>editorial
  errorGivenUp  route    error      error@editorial      error      route:editorial>editorial
  errorGivenUp  route    cancelled  cancelled@editorial  open       route:editorial>editorial
  errorGivenUp  route    empty      error@editorial      error      route:editorial>editorial
  errorGivenUp  route    refused    error@editorial      error      -
  errorGivenUp  route    gone       error@editorial      error      status_update:editorial>editorial
  errorGivenUp  route    unknown    error@editorial?     error      -
  errorGivenUp  cancel   step       cancelled@legal      deleted    cancel:editorial>legal
  errorGivenUp  cancel   completed  completed@editorial  deleted    cancel:editorial>editorial
  errorGivenUp  cancel   error      cancelled@editorial  deleted    cancel:editorial>editorial
  errorGivenUp  cancel   cancelled  cancelled@editorial  deleted    cancel:editorial>editorial
  errorGivenUp  cancel   empty      cancelled@editorial  deleted    cancel:editorial>editorial
  errorGivenUp  cancel   refused    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  errorGivenUp  cancel   gone       cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  errorGivenUp  cancel   unknown    cancelled@editorial  deleted    cancel:editorial>editorial+status_update:editorial>editorial
  completed     approve  step       completed@legal      completed  approve:legal>legal
  completed     approve  completed  completed@legal      completed  approve:legal>legal
  completed     approve  error      error@legal          error      approve:legal>legal
  completed     approve  cancelled  cancelled@legal      open       approve:legal>legal
  completed     approve  empty      completed@legal      completed  approve:legal>legal
  completed     approve  refused    completed@legal      completed  -
  completed     approve  gone       completed@legal      completed  -
  completed     approve  unknown    completed@legal?     completed  -
  completed     reject   step       completed@legal      completed  reject:legal>legal
  completed     reject   completed  completed@legal      completed  reject:legal>legal
  completed     reject   error      error@legal          error      reject:legal>legal
  completed     reject   cancelled  cancelled@legal      open       reject:legal>legal
  completed     reject   empty      completed@legal      completed  reject:legal>legal
  completed     reject   refused    completed@legal      completed  -
  completed     reject   gone       completed@legal      completed  -
  completed     reject   unknown    completed@legal?     completed  -
  completed     route    step       completed@legal      completed  route:legal>legal
  completed     route    completed  completed@legal      completed  route:legal>legal
  completed     route    error      error@legal          error      route:legal>legal
  completed     route    cancelled  cancelled@legal      open       route:legal>legal
  completed     route    empty      completed@legal      completed  route:legal>legal
  completed     route    refused    completed@legal      completed  -
  completed     route    gone       completed@legal      completed  -
  completed     route    unknown    completed@legal?     completed  -
  completed     cancel   step       cancelled@legal      deleted    cancel:legal>legal
  completed     cancel   completed  completed@legal      deleted    cancel:legal>legal
  completed     cancel   error      cancelled@legal      deleted    cancel:legal>legal
  completed     cancel   cancelled  cancelled@legal      deleted    cancel:legal>legal
  completed     cancel   empty      cancelled@legal      deleted    cancel:legal>legal
  completed     cancel   refused    cancelled@legal      deleted    cancel:legal>legal+status_update:legal>legal
  completed     cancel   gone       cancelled@legal      deleted    cancel:legal>legal+status_update:legal>legal
  completed     cancel   unknown    cancelled@legal      deleted    cancel:legal>legal+status_update:legal>legal
  cancelled     start    step       active@legal         inReview   start:>legal
  cancelled     start    completed  completed@start      completed  start:>start
  cancelled     start    error      error@start          error      start:>start
  cancelled     start    cancelled  cancelled@start      open       start:>start
  cancelled     start    empty      active@start         inReview   start:>start
  cancelled     start    refused    cancelled@legal      open       -
  cancelled     start    gone       cancelled@legal      open       -
  cancelled     start    unknown    cancelled@legal?     open       -
  cancelled     approve  step       cancelled@legal      open       approve:legal>legal
  cancelled     approve  completed  completed@legal      completed  approve:legal>legal
  cancelled     approve  error      error@legal          error      approve:legal>legal
  cancelled     approve  cancelled  cancelled@legal      open       approve:legal>legal
  cancelled     approve  empty      cancelled@legal      open       approve:legal>legal
  cancelled     approve  refused    cancelled@legal      open       -
  cancelled     approve  gone       cancelled@legal      open       -
  cancelled     approve  unknown    cancelled@legal?     open       -
  cancelled     reject   step       cancelled@legal      open       reject:legal>legal
  cancelled     reject   completed  completed@legal      completed  reject:legal>legal
  cancelled     reject   error      error@legal          error      reject:legal>legal
  cancelled     reject   cancelled  cancelled@legal      open       reject:legal>legal
  cancelled     reject   empty      cancelled@legal      open       reject:legal>legal
  cancelled     reject   refused    cancelled@legal      open       -
  cancelled     reject   gone       cancelled@legal      open       -
  cancelled     reject   unknown    cancelled@legal?     open       -
  cancelled     route    step       cancelled@legal      open       route:legal>legal
  cancelled     route    completed  completed@legal      completed  route:legal>legal
  cancelled     route    error      error@legal          error      route:legal>legal
  cancelled     route    cancelled  cancelled@legal      open       route:legal>legal
  cancelled     route    empty      cancelled@legal      open       route:legal>legal
  cancelled     route    refused    cancelled@legal      open       -
  cancelled     route    gone       cancelled@legal      open       -
  cancelled     route    unknown    cancelled@legal?     open       -
  cancelled     cancel   step       cancelled@legal      deleted    cancel:legal>legal
  cancelled     cancel   completed  completed@legal      deleted    cancel:legal>legal
  cancelled     cancel   error      cancelled@legal      deleted    cancel:legal>legal
  cancelled     cancel   cancelled  cancelled@legal      deleted    cancel:legal>legal
  cancelled     cancel   empty      cancelled@legal      deleted    cancel:legal>legal
  cancelled     cancel   refused    cancelled@legal      deleted    cancel:legal>legal+status_update:legal>legal
  cancelled     cancel   gone       cancelled@legal      deleted    cancel:legal>legal+status_update:legal>legal
  cancelled     cancel   unknown    cancelled@legal      deleted    cancel:legal>legal+status_update:legal>legal
  `,
)

type Row = (typeof table)[number]

const events = Object.fromEntries(actions.map((action) => [action, action]))

function act({ where, event, answer }: Row) {
  const stand: Stand = named(stands, where)
  return { stand, after: answeredWith(stand, named(events, event), named(answers, answer)) }
}

/** Whether a requested action is posted to the engine in this state. */
function isAsked({ state, record }: Stand, event: Action): boolean {
  const last = record?.pending
  // A cancel that no engine can be notified of takes effect at once.
  if (event === 'cancel')
    return state !== 'merged' && record?.info?.nextActionUrl !== undefined && last?.event !== 'cancel'
  if (last && !last.isGivenUp) return last.until <= now && last.event === event
  return problemOf({ event }, { state, record, at: now }) === null
}

describe('an action', () => {
  it('is in the table for each state, each event that is posted there, and each answer', () => {
    const lawful = Object.entries<Stand>(stands).flatMap(([where, stand]) =>
      actions
        .filter((event) => isAsked(stand, event))
        .flatMap((event) => Object.keys(answers).map((answer) => `${where} ${event} ${answer}`)),
    )
    expect(table.map(({ where, event, answer }) => `${where} ${event} ${answer}`)).toEqual(lawful)
  })

  it.each(table)('$where: $event, answered with $answer, leads to $workflow', (row) => {
    const { stand, after } = act(row)
    expect([wordOf(after.record), after.state, entryOf(stand.record, after.record)]).toEqual([
      row.workflow,
      row.package,
      row.history,
    ])
  })

  it.each(table)('$where: $event, answered with $answer, keeps the invariants', (row) => {
    const { stand, after } = act(row)
    expectLawful(stand.record, after.record)
    const added = addedTo(stand.record?.info ?? null, after.record?.info ?? null)
    expect(added.map(({ user }) => user)).toEqual(
      added.map(({ action }) => (action === 'status_update' ? undefined : eva)),
    )
    expect(added.filter(({ timestamp }) => timestamp !== now + 1)).toEqual([])
    const isOpen = row.workflow.endsWith('?') || row.workflow.endsWith('!')
    expect(after.record?.pending?.event).toBe(isOpen ? row.event : undefined)
  })
})
