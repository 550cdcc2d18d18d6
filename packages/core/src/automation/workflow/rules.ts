import type { PackageState, WorkflowInfo } from '@quire/contract'
import type { PendingAction, WorkflowRecord } from './records.ts'
import { isAsking, isEnded } from './transitions.ts'

/** What somebody wants to do. */
export interface Transition {
  readonly event: PendingAction['event'] | 'assign'
  readonly targetStep?: string | undefined
}

/** Where a package and its workflow stand. */
export interface Standing {
  readonly state: PackageState
  readonly record: WorkflowRecord | null
  /** Unix ms. */
  readonly at: number
}

/** Why something cannot be done where a workflow stands; null: it can (specification 3.2). */
export function problemOf({ event, targetStep }: Transition, { state, record, at }: Standing): string | null {
  if (record && event !== 'assign' && isHeldUp(record, { event, at }))
    return `The engine is being asked already (${record.pending?.event}): wait for its answer.`
  const info = record?.info ?? null
  if (event === 'start') return startProblem(state, info)
  if (state === 'merged') return 'The package is merged: its review is over.'
  // To cancel is to delete, wherever the workflow stands and whatever its engine takes.
  if (event === 'cancel') return null
  if (!info) return 'No workflow is attached: start one first.'
  return event === 'assign' ? null : actionProblem(info, { event, targetStep })
}

/** Whether the answer that the engine owes comes first. Who cancels waits for nothing but another who does. */
function isHeldUp(
  record: WorkflowRecord,
  { event, at }: { event: Transition['event']; at: number },
): boolean {
  return isAsking(record, at) && (event !== 'cancel' || record.pending?.event === 'cancel')
}

function startProblem(state: PackageState, info: WorkflowInfo | null): string | null {
  if (info?.status === 'active') return `The package is under review already, at "${info.currentStep}".`
  return state === 'open' || state === 'error'
    ? null
    : `The package is ${state}: only the review of an open one can be started.`
}

function actionProblem(info: WorkflowInfo, { event, targetStep }: Transition): string | null {
  const { steps, currentStep, nextActionUrl } = info
  const allowed: readonly string[] = steps.find(({ name }) => name === currentStep)?.allowedActions ?? []
  if (allowed.length > 0 && !allowed.includes(event))
    return `The step "${currentStep}" takes ${allowed.join(', ')}, not ${event}.`
  if (targetStep !== undefined && steps.length > 0 && !steps.some(({ name }) => name === targetStep))
    return `The workflow has no step "${targetStep}": there are ${steps.map(({ name }) => name).join(', ')}.`
  if (nextActionUrl !== undefined) return null
  return isEnded(info)
    ? `The workflow has ended: it is ${info.status}.`
    : 'The engine named no address for the next action.'
}

/** What is asked of an engine, as far as it tells whether the same was asked before. */
export type ActionRequest = Pick<PendingAction, 'event' | 'url' | 'body' | 'connectionId'>

/** Whether the same was asked before: the engine then takes it once. */
export function isRepeated(pending: PendingAction, wanted: ActionRequest): boolean {
  const { event, url, connectionId } = pending
  if (event !== wanted.event || url !== wanted.url || connectionId !== wanted.connectionId) return false
  return bodyOf(pending) === bodyOf(wanted)
}

/** A body but for the package that it carries: that may have changed, and the engine is sent what it was sent before. */
function bodyOf({ body }: Pick<PendingAction, 'body'>): string {
  const { payload: _payload, ...given } = JSON.parse(body) as { payload?: unknown }
  return JSON.stringify(given)
}
