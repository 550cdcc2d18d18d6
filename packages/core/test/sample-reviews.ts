import type { EngineAnswer, PackageState, WorkflowInfo } from '@quire/contract'
import type { UserRef } from '../src/ports/index.ts'
import type { PendingAction, WorkflowCallback, WorkflowRecord } from '../src/automation/workflow/records.ts'
import type { EngineOutcome } from '../src/automation/workflow/ask.ts'
import { afterAnswer } from '../src/automation/workflow/reconcile.ts'
import { type Move, packageStateAfter } from '../src/automation/workflow/review.ts'
import { isRepeated } from '../src/automation/workflow/rules.ts'
import type { Called } from '../src/automation/workflow/transitions.ts'

/** Unix ms of all that happens next to a sample: no whole second, so that seconds and milliseconds differ. */
export const now = 1_790_000_000_999

/** Ms that the engine of the samples has. */
const timeoutMs = 10_000

/** Who acts. */
export const eva: UserRef = { userName: 'eva', displayName: 'Eva', email: 'eva@example.com' }

/** Who is to act first. */
export const lee: UserRef = { userName: 'lee', displayName: 'Lee', email: 'lee@example.com' }

/** What is told to engines. */
export const actions = ['start', 'approve', 'reject', 'route', 'cancel'] as const

/** What is told to engines. */
export type Action = (typeof actions)[number]

const step = (name: string) => ({ name, label: name, allowedActions: [], assignedGroups: [] })

/** A review that has begun a minute ago. */
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

/** An action as it is kept before the engine is asked, now unless told. */
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

/** A workflow without one unless told. */
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

/** What is known of a review whose engine told of it before it answered its start. */
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

/** Where a package and its workflow can stand. */
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

/** What can come of asking an engine. */
export const answers = {
  step: accepted({ workflowInstanceId: 'two', currentStep: 'legal' }),
  completed: accepted({ status: 'completed' }),
  error: accepted({ status: 'error' }),
  cancelled: accepted({ status: 'cancelled' }),
  empty: accepted({}),
  refused: { kind: 'refused', reason: 'The engine refused it with 422.', status: 422 },
  gone: { kind: 'refused', reason: 'The engine refused it with 404.', status: 404 },
  unknown: { kind: 'unknown', reason: 'The engine failed with 500' },
} as const satisfies Record<string, EngineOutcome>

const reported = (members: Partial<WorkflowCallback>): WorkflowCallback => ({
  workflowInstanceId: 'one',
  currentStep: 'legal',
  status: 'active',
  ...members,
})

/** What an engine can tell by itself. */
export const callbacks = {
  active: reported({}),
  completed: reported({ status: 'completed' }),
  cancelled: reported({ status: 'cancelled' }),
  error: reported({ status: 'error' }),
  same: reported({ currentStep: 'chief' }),
  other: reported({ workflowInstanceId: 'two' }),
}

/** A workflow whose engine is about to be asked, as `intend` keeps it: what is unsettled is asked first, and again. */
export function asking({ record }: Stand, event: Action, at = now): WorkflowRecord {
  const wanted = anAction(event, {
    id: `WFAC_${event}_${at}`,
    comment: `${event} of ${at}`,
    sentAt: at,
    until: at + timeoutMs,
  })
  const last = record?.pending
  // A cancel waits for nothing but another cancel.
  const isFirst = last && !last.isGivenUp && (event !== 'cancel' || last.event === 'cancel')
  const isAgain = last && (isFirst || isRepeated(last, wanted))
  return { ...(record ?? aRecord()), pending: isAgain ? onceMore(last, at) : wanted }
}

/** The same action, asked again. */
export function onceMore(pending: PendingAction, at: number): PendingAction {
  return { ...pending, until: at + pending.timeoutMs, tries: pending.tries + 1, isGivenUp: false }
}

/** What comes of an action: where all stands afterwards, and what was added to the history. */
export function answeredWith(stand: Stand, event: Action, asked: EngineOutcome): Stand {
  const before = asking(stand, event)
  const { pending } = before
  if (!pending) throw new Error('Nothing is asked.')
  const isMerged = stand.state === 'merged'
  const { record, moves } = afterAnswer(before, { pending, asked, at: now + 1, isLast: false, isMerged })
  return { record, state: stateAfter(stand, moves) }
}

/** Where a package stands after what happened in its review: who cancels deletes it. */
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

/** The workflow after a callback that counts. Errors: throws when it does not. */
export function counted(next: Called): WorkflowRecord {
  if (typeof next === 'string') throw new Error(`It is ${next}.`)
  return next
}

/** Where all stands in one word: the state and the step of the workflow, `?` where an action is pending, `!` where one is given up. */
export function wordOf(record: WorkflowRecord | null): string {
  if (!record) return '-'
  const { info, pending } = record
  const open = pending?.isGivenUp ? '!' : '?'
  return `${info ? `${info.status}@${info.currentStep}` : ''}${pending ? open : ''}`
}

/** What one history has more than the one before, in one word. */
export function entryOf(before: WorkflowRecord | null, after: WorkflowRecord | null): string {
  const known = before?.info?.history.length ?? 0
  const added = after?.info?.history.slice(known) ?? []
  const words = added.map(({ action, fromStep, toStep }) => `${action}:${fromStep ?? ''}>${toStep}`)
  return words.join('+') || '-'
}
