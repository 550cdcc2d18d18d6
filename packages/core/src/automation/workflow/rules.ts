import type { PackageState, WorkflowInfo } from '@quire/contract'
import type { PendingAction, WorkflowRecord } from './records.ts'
import { isAsking, isEnded } from './transitions.ts'

/** A requested event. */
export interface Transition {
  readonly event: PendingAction['event'] | 'assign'
  readonly targetStep?: string | undefined
}

/** The state of a package and its workflow. */
export interface ReviewState {
  readonly state: PackageState
  readonly record: WorkflowRecord | null
  /** Unix ms. */
  readonly at: number
}

/** Why an event is not possible in the current state (specification 3.2); null if it is. */
export function problemOf(
  { event, targetStep }: Transition,
  { state, record, at }: ReviewState,
): string | null {
  if (record && event !== 'assign' && mustWait(record, { event, at }))
    return `A request to the engine is already pending (${record.pending?.event}). Wait for its answer.`
  const info = record?.info ?? null
  if (event === 'start') return startProblem(state, info)
  if (state === 'merged') return 'The package is merged: its review is over.'
  // A cancel deletes the package in any state of the workflow, whatever the engine answers.
  if (event === 'cancel') return null
  if (!info) return 'No workflow is attached: start one first.'
  return event === 'assign' ? null : actionProblem(info, { event, targetStep })
}

/**
 * Whether the event has to wait for a pending answer of the engine. A cancel waits only for another
 * cancel.
 */
function mustWait(
  record: WorkflowRecord,
  { event, at }: { event: Transition['event']; at: number },
): boolean {
  return isAsking(record, at) && (event !== 'cancel' || record.pending?.event === 'cancel')
}

function startProblem(state: PackageState, info: WorkflowInfo | null): string | null {
  if (info?.status === 'active') return `The package is already under review, at "${info.currentStep}".`
  return state === 'open' || state === 'error'
    ? null
    : `The package is ${state}. A review can only be started for an open package.`
}

function actionProblem(info: WorkflowInfo, { event, targetStep }: Transition): string | null {
  const { steps, currentStep, nextActionUrl } = info
  const allowed: readonly string[] = steps.find(({ name }) => name === currentStep)?.allowedActions ?? []
  if (allowed.length > 0 && !allowed.includes(event))
    return `The step "${currentStep}" allows ${allowed.join(', ')}, but not ${event}.`
  if (targetStep !== undefined && steps.length > 0 && !steps.some(({ name }) => name === targetStep))
    return `The workflow has no step "${targetStep}". Its steps are ${steps.map(({ name }) => name).join(', ')}.`
  if (nextActionUrl !== undefined) return null
  return isEnded(info)
    ? `The workflow has ended: it is ${info.status}.`
    : 'The engine named no address for the next action.'
}

/** The parts of an action that decide whether it repeats another one. */
export type ActionRequest = Pick<PendingAction, 'event' | 'url' | 'body' | 'connectionId'>

/**
 * Whether a requested action is the same as the pending one. It is then posted with the same key,
 * so that it takes effect once.
 */
export function isRepeated(pending: PendingAction, requested: ActionRequest): boolean {
  const { event, url, connectionId } = pending
  if (event !== requested.event || url !== requested.url || connectionId !== requested.connectionId)
    return false
  return bodyWithoutPackage(pending) === bodyWithoutPackage(requested)
}

/**
 * The body without the package, which may have changed since: a repeat sends the package as it was
 * sent before.
 */
function bodyWithoutPackage({ body }: Pick<PendingAction, 'body'>): string {
  const { payload: _payload, ...given } = JSON.parse(body) as { payload?: unknown }
  return JSON.stringify(given)
}
