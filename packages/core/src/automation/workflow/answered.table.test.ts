import { describe, expect, it } from 'vitest'
import {
  activeInfo,
  anAction,
  aRecord,
  callbacks,
  now,
  stands,
  type Action,
} from '../../../test/sample-reviews.ts'
import { rowsOf } from '../../../test/text-table.ts'
import type { PendingAction } from './records.ts'
import { applyOutcome } from './reconcile.ts'
import type { EngineOutcome } from './ask.ts'

/**
 * The effective outcome of a refusal. `first`: the first attempt of an approval, whatever the
 * engine reported since. The others are repeats: `again` is an approval since which the engine has
 * reported nothing; for the rest it has. `none`: nothing was sent, or no answer came. A cancel
 * deletes, whatever the answer is.
 */
const table = rowsOf(
  ['status', 'first', 'again', 'approve', 'route', 'reject', 'cancel', 'start'],
  `
  status  first    again    approve  route    reject   cancel   start
  none    refused  unknown  unknown  unknown  unknown  taken    unknown
  300     refused  unknown  unknown  unknown  unknown  taken    unknown
  302     refused  unknown  unknown  unknown  unknown  taken    unknown
  399     refused  unknown  unknown  unknown  unknown  taken    unknown
  400     refused  refused  refused  refused  refused  taken    refused
  401     refused  unknown  unknown  unknown  unknown  taken    unknown
  402     refused  refused  refused  refused  refused  taken    refused
  403     refused  unknown  unknown  unknown  unknown  taken    unknown
  404     refused  refused  taken    taken    refused  taken    refused
  405     refused  refused  refused  refused  refused  taken    refused
  407     refused  unknown  unknown  unknown  unknown  taken    unknown
  408     refused  unknown  unknown  unknown  unknown  taken    unknown
  409     refused  refused  taken    taken    refused  taken    refused
  410     refused  refused  taken    taken    refused  taken    refused
  422     refused  refused  refused  refused  refused  taken    refused
  425     refused  unknown  unknown  unknown  unknown  taken    unknown
  429     refused  unknown  unknown  unknown  unknown  taken    unknown
  451     refused  refused  refused  refused  refused  taken    refused
  499     refused  refused  refused  refused  refused  taken    refused
  `,
)

const reason = 'It was refused'
const active = aRecord({ info: activeInfo })

function outcomeOf(pending: PendingAction, status: string, held = [callbacks.active]) {
  const asked: EngineOutcome = { kind: 'refused', reason, status: status === 'none' ? null : Number(status) }
  return applyOutcome({ ...active, pending, held }, { pending, asked, at: now, isLast: false }).asked
}

const again = (event: Action, members: Partial<PendingAction> = {}) =>
  anAction(event, { tries: 2, ...members })

describe('a refusal', () => {
  it.each(table)('with $status counts as the table says', ({ status, ...row }) => {
    expect({
      first: outcomeOf(anAction('approve', { isOvertaken: true }), status).kind,
      again: outcomeOf(again('approve'), status, []).kind,
      approve: outcomeOf(again('approve'), status).kind,
      route: outcomeOf(again('route'), status).kind,
      reject: outcomeOf(again('reject'), status).kind,
      cancel: outcomeOf(again('cancel'), status).kind,
      start: outcomeOf(again('start'), status).kind,
    }).toEqual(row)
  })

  it.each(table)('with $status counts the same if a callback was applied since', ({ status, ...row }) => {
    for (const event of ['approve', 'route', 'reject', 'cancel'] as const)
      expect(outcomeOf(again(event, { isOvertaken: true }), status, []).kind).toBe(row[event])
  })

  it('keeps its reason, except if it shows that an earlier attempt was accepted', () => {
    expect(outcomeOf(again('approve'), '401')).toEqual({ kind: 'unknown', reason })
    expect(outcomeOf(again('approve'), '422')).toEqual({ kind: 'refused', reason, status: 422 })
    expect(outcomeOf(again('approve'), '409')).toEqual({ kind: 'taken', answer: {} })
  })
})

describe('an unknown outcome', () => {
  it.each([1, 2])('stays unknown after %i attempts', (tries) => {
    const pending = again('approve', { tries, isOvertaken: true })
    const asked: EngineOutcome = { kind: 'unknown', reason }
    const after = applyOutcome({ ...active, pending }, { pending, asked, at: now, isLast: false })
    expect(after).toMatchObject({ asked, record: { pending: { id: pending.id, until: now } }, moves: [] })
  })

  it('is given up after the last attempt: nothing is pending, and nothing has changed', () => {
    const pending = again('approve')
    const asked: EngineOutcome = { kind: 'unknown', reason }
    const after = applyOutcome({ ...active, pending }, { pending, asked, at: now, isLast: true })
    const ended = { id: pending.id, isInUse: false }
    expect(after).toEqual({ asked, record: { ...active, ended }, moves: [] })
  })
})

describe('an instance that the engine does not know', () => {
  const gone = (pending: PendingAction, record = active, status = 404) =>
    applyOutcome(
      { ...record, pending },
      { pending, asked: { kind: 'refused', reason, status }, at: now + 1, isLast: false },
    )

  it.each([404, 410])(
    'is an error after %i, and the history has the reason given by the engine',
    (status) => {
      const { asked, record, moves } = gone(anAction('approve'), active, status)
      expect(asked).toEqual({ kind: 'refused', reason, status })
      const entry = {
        timestamp: now + 1,
        action: 'status_update',
        fromStep: 'editorial',
        toStep: 'editorial',
        comment: reason,
        externalReference: 'one',
      }
      const info = { ...activeInfo, status: 'error', history: [...activeInfo.history, entry] }
      const ended = { id: 'WFAC_approve', isInUse: false }
      expect(record).toEqual({ ...active, info, ended, pending: null })
      expect(moves.map(({ event }) => event)).toEqual(['status_update'])
    },
  )

  it.each(['completed', 'cancelled'] as const)('stays %s if it had ended', (status) => {
    for (const event of ['reject', 'approve'] as const) {
      const { record } = stands[status]
      const after = gone(again(event, { isOvertaken: event !== 'approve' }), record)
      expect(after.record?.info).toEqual(record.info)
      expect(after.record?.pending).toBeNull()
      expect(after.moves).toEqual([])
    }
  })
})

describe('a start', () => {
  const ended = { id: 'WFAC_start', isInUse: false }
  const answered = (members: Partial<PendingAction>, asked: EngineOutcome, isLast = false) => {
    const pending = anAction('start', { tries: 3, ...members })
    return applyOutcome(aRecord({ pending }), { pending, asked, at: now, isLast })
  }
  const refused: EngineOutcome = { kind: 'refused', reason, status: 422 }
  const unknown: EngineOutcome = { kind: 'unknown', reason }

  it('that is refused at the first attempt leaves nothing behind', () => {
    expect(answered({ tries: 1 }, refused)).toEqual({ asked: refused, record: null, moves: [] })
  })

  it.each<[string, EngineOutcome, boolean]>([
    ['is refused at a later attempt', refused, false],
    ['has no conclusive answer after the last attempt', unknown, true],
  ])('that %s is given up, and stays', (_words, asked, isLast) => {
    const pending = anAction('start', { tries: 3, until: 0, isGivenUp: true })
    expect(answered({}, asked, isLast)).toEqual({ asked, record: aRecord({ pending, ended }), moves: [] })
  })

  it('stays pending while there is no conclusive answer', () => {
    const { record } = answered({}, unknown)
    expect(record).toEqual(aRecord({ pending: anAction('start', { tries: 3, until: now }) }))
  })

  it('that is refused takes effect if the engine reported it in the meantime', () => {
    const pending = anAction('start', { tries: 3 })
    const before = aRecord({ pending, held: [callbacks.active] })
    const { record, moves } = applyOutcome(before, { pending, asked: refused, at: now, isLast: false })
    expect(moves.map(({ event }) => event)).toEqual(['start'])
    expect(record).toMatchObject({
      held: [],
      info: { workflowInstanceId: 'one' },
      pending: { isAdopted: true },
    })
  })
})
