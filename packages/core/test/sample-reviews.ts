import type { EngineAnswer, PackageState, WorkflowInfo } from '@quire/contract'
import type { UserRef } from '../src/ports/index.ts'
import type { PendingAction, WorkflowCallback, WorkflowRecord } from '../src/automation/workflow/records.ts'
import type { EngineOutcome } from '../src/automation/workflow/ask.ts'
import { applyOutcome } from '../src/automation/workflow/reconcile.ts'
import { type Move, packageStateAfter } from '../src/automation/workflow/review.ts'
import { isRepeated } from '../src/automation/workflow/rules.ts'
import type { CallbackResult } from '../src/automation/workflow/transitions.ts'

/**
 * The current time of all samples, in Unix ms. It is not a whole second, so that seconds and
 * milliseconds differ.
 */
export const now = 1_790_000_000_999

/** Milliseconds that the engine of the samples has for an answer. */
const timeoutMs = 10_000

/** The reviewer who acts. */
export const eva: UserRef = { userName: 'eva', displayName: 'Eva', email: 'eva@example.com' }

/** The first assignee. */
export const lee: UserRef = { userName: 'lee', displayName: 'Lee', email: 'lee@example.com' }

/** The events that are posted to engines. */
export const actions = ['start', 'approve', 'reject', 'route', 'cancel'] as const

export type Action = (typeof actions)[number]

const step = (name: string) => ({ name, label: name, allowedActions: [], assignedGroups: [] })

/** A review that began a minute ago. */
export const activeInfo: WorkflowInfo = {
  workflowName: 'Two steps',
  workflowInstanceId: 'one',
  currentStep: 'editorial',
  status: 'active',
  nextActionUrl: 'https://engine.example.com/instances/one/actions',
  startedAt: 1_789_999_940,
  assignee: lee,
  metadata: { round: 1 },
  steps: [step('editorial'), step('legal'), step('chief')],
  history: [
    {
      timestamp: 1_789_999_940_999,
      action: 'start',
      fromStep: null,
      toStep: 'editorial',
      user: eva,
      externalReference: 'one',
    },
  ],
}

/** An action as it is stored before it is posted to the engine. By default it is posted now. */
export function anAction(event: Action, members: Partial<PendingAction> = {}): PendingAction {
  return {
    id: `WFAC_${event}`,
    event,
    user: eva,
    principal: {},
    workflowName: 'Two steps',
    connectionId: 'CONN_1',
    url: 'https://engine.example.com/somewhere',
    timeoutMs,
    body: '{}',
    sentAt: now,
    until: now + timeoutMs,
    tries: 1,
    isOvertaken: false,
    isAdopted: false,
    isGivenUp: false,
    once: [],
    ...members,
  }
}

/** A workflow, by default without any action or information. */
export function aRecord(members: Partial<WorkflowRecord> = {}): WorkflowRecord {
  return {
    id: 'PACK_1',
    repositoryId: 'REPO_1',
    connectionId: 'CONN_1',
    info: null,
    pending: null,
    ended: null,
    held: [],
    ...members,
  }
}

/** A package with its workflow. */
export interface Stand {
  readonly state: PackageState
  readonly record: WorkflowRecord | null
}

const asked = { sentAt: now - 60_000, until: now - 50_000 }
const reportedOf = { timestamp: now - 20_000, action: 'status_update', externalReference: 'one' } as const
const ended = {
  ...activeInfo,
  currentStep: 'legal',
  completedAt: 1_789_999_980,
  history: [...activeInfo.history, { ...reportedOf, fromStep: 'editorial', toStep: 'legal' }],
}

const givenUp = anAction('start', { ...asked, until: 0, tries: 7, isGivenUp: true })
const startReported = { ...activeInfo.history[0], action: 'start', fromStep: null, toStep: 'chief' } as const

/** A review whose engine sent a callback before it answered the start. */
const adoptedInfo: WorkflowInfo = {
  workflowName: 'Two steps',
  workflowInstanceId: 'one',
  currentStep: 'chief',
  status: 'active',
  nextActionUrl: 'https://engine.example.com/instances/one/actions',
  startedAt: 1_789_999_940,
  steps: [],
  history: [
    { ...startReported, timestamp: now - 20_000 },
    { ...reportedOf, fromStep: 'chief', toStep: 'chief' },
  ],
}

/** The states in which a package and its workflow can be. */
export const stands = {
  none: { state: 'open', record: null },
  starting: { state: 'open', record: aRecord({ pending: anAction('start') }) },
  startUnknown: { state: 'open', record: aRecord({ pending: anAction('start', asked) }) },
  givenUp: {
    state: 'open',
    record: aRecord({ pending: givenUp, ended: { id: givenUp.id, isInUse: false } }),
  },
  adopted: {
    state: 'inReview',
    record: aRecord({ info: adoptedInfo, pending: anAction('start', { ...asked, isAdopted: true }) }),
  },
  active: { state: 'inReview', record: aRecord({ info: activeInfo }) },
  asking: { state: 'inReview', record: aRecord({ info: activeInfo, pending: anAction('approve') }) },
  unknown: { state: 'inReview', record: aRecord({ info: activeInfo, pending: anAction('approve', asked) }) },
  overtaken: {
    state: 'inReview',
    record: aRecord({
      info: {
        ...activeInfo,
        currentStep: 'chief',
        history: [...activeInfo.history, { ...reportedOf, fromStep: 'editorial', toStep: 'chief' }],
      },
      pending: anAction('approve', { ...asked, isOvertaken: true }),
    }),
  },
  error: { state: 'error', record: aRecord({ info: { ...activeInfo, status: 'error' } }) },
  errorGivenUp: {
    state: 'error',
    record: aRecord({ info: { ...activeInfo, status: 'error' }, pending: givenUp }),
  },
  completed: { state: 'completed', record: aRecord({ info: { ...ended, status: 'completed' } }) },
  cancelled: { state: 'open', record: aRecord({ info: { ...ended, status: 'cancelled' } }) },
  merged: { state: 'merged', record: aRecord({ info: { ...ended, status: 'completed' } }) },
} as const satisfies Record<string, Stand>

const accepted = (answer: EngineAnswer): EngineOutcome => ({ kind: 'taken', answer })

/** The possible outcomes of asking an engine. */
export const answers = {
  step: accepted({ workflowInstanceId: 'two', currentStep: 'legal' }),
  completed: accepted({ status: 'completed' }),
  error: accepted({ status: 'error' }),
  cancelled: accepted({ status: 'cancelled' }),
  empty: accepted({}),
  refused: { kind: 'refused', reason: 'The engine rejected the request with 422.', status: 422 },
  gone: { kind: 'refused', reason: 'The engine rejected the request with 404.', status: 404 },
  unknown: { kind: 'unknown', reason: 'The engine failed with 500' },
} as const satisfies Record<string, EngineOutcome>

const reported = (members: Partial<WorkflowCallback>): WorkflowCallback => ({
  workflowInstanceId: 'one',
  currentStep: 'legal',
  status: 'active',
  ...members,
})

/** The callbacks that an engine can send. */
export const callbacks = {
  active: reported({}),
  completed: reported({ status: 'completed' }),
  cancelled: reported({ status: 'cancelled' }),
  error: reported({ status: 'error' }),
  same: reported({ currentStep: 'chief' }),
  other: reported({ workflowInstanceId: 'two' }),
}

/**
 * A workflow whose engine is about to be asked, as in `storeAction`: an unresolved action is
 * repeated first.
 */
export function asking({ record }: Stand, event: Action, at = now): WorkflowRecord {
  const requested = anAction(event, {
    id: `WFAC_${event}_${at}`,
    comment: `${event} of ${at}`,
    sentAt: at,
    until: at + timeoutMs,
  })
  const last = record?.pending
  // A cancel waits only for another cancel.
  const isFirst = last && !last.isGivenUp && (event !== 'cancel' || last.event === 'cancel')
  const isAgain = last && (isFirst || isRepeated(last, requested))
  return { ...(record ?? aRecord()), pending: isAgain ? onceMore(last, at) : requested }
}

/** The same action for another attempt. */
export function onceMore(pending: PendingAction, at: number): PendingAction {
  return { ...pending, until: at + pending.timeoutMs, tries: pending.tries + 1, isGivenUp: false }
}

/** The state of a package and its workflow after an action with this outcome. */
export function answeredWith(stand: Stand, event: Action, asked: EngineOutcome): Stand {
  const before = asking(stand, event)
  const { pending } = before
  if (!pending) throw new Error('No action is pending.')
  const isMerged = stand.state === 'merged'
  const { record, moves } = applyOutcome(before, { pending, asked, at: now + 1, isLast: false, isMerged })
  return { record, state: stateAfter(stand, moves) }
}

/** The state of a package after the events of its review. A cancel deletes it. */
export function stateAfter(stand: Stand, moves: readonly Move[]): PackageState {
  let was = stand.record?.info?.status
  return moves.reduce((before, { event, record: { info } }) => {
    if (event === 'cancel') return 'deleted'
    if (event === 'assign' || !info || before === 'merged') return before
    const next = packageStateAfter(before, event, { status: info.status, was })
    was = info.status
    return next
  }, stand.state)
}

/** The workflow after a callback that takes effect. Errors: throws if it does not. */
export function counted(next: CallbackResult): WorkflowRecord {
  if (typeof next === 'string') throw new Error(`The callback has no effect: it is ${next}.`)
  return next
}

/**
 * A workflow in one word: its status and step, with `?` if an action is pending and `!` if one is
 * given up.
 */
export function wordOf(record: WorkflowRecord | null): string {
  if (!record) return '-'
  const { info, pending } = record
  const open = pending?.isGivenUp ? '!' : '?'
  return `${info ? `${info.status}@${info.currentStep}` : ''}${pending ? open : ''}`
}

/** The entries that were added to a history, in one word. */
export function entryOf(before: WorkflowRecord | null, after: WorkflowRecord | null): string {
  const known = before?.info?.history.length ?? 0
  const added = after?.info?.history.slice(known) ?? []
  const words = added.map(({ action, fromStep, toStep }) => `${action}:${fromStep ?? ''}>${toStep}`)
  return words.join('+') || '-'
}
