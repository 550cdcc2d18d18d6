import { limits, type WorkflowHistoryEntry, type WorkflowInfo } from '@quire/contract'
import type { PendingAction } from './records.ts'

/** An object with this member, or an empty one if there is no value. */
export function optional<N extends string, T>(name: N, value: T | null | undefined): { [M in N]?: T } {
  // The compiler does not infer the type of a computed member name.
  return value === null || value === undefined ? {} : ({ [name]: value } as { [M in N]?: T })
}

/** Adds an entry to the history. Only the newest `limits.workflowHistory` entries are retained. */
export function withEntry(info: WorkflowInfo, entry: WorkflowHistoryEntry): WorkflowInfo {
  return { ...info, history: [...info.history, entry].slice(-limits.workflowHistory) }
}

/** The history entry of an action. `at` is in Unix ms. */
export function actionEntry(
  { event, user, comment }: PendingAction,
  about: { at: number; fromStep: string | null; toStep: string; instance: string | undefined },
): WorkflowHistoryEntry {
  return {
    timestamp: about.at,
    action: event,
    fromStep: about.fromStep,
    toStep: about.toStep,
    user,
    ...(comment !== undefined && { comment }),
    ...(about.instance !== undefined && { externalReference: about.instance }),
  }
}

/** The history entry of a status that the engine reported by itself. `at` is in Unix ms. */
export function updateEntry(
  { currentStep }: Pick<WorkflowInfo, 'currentStep'>,
  about: { at: number; toStep: string; comment: string | undefined; instance: string | undefined },
): WorkflowHistoryEntry {
  return {
    timestamp: about.at,
    action: 'status_update',
    fromStep: currentStep,
    toStep: about.toStep,
    ...optional('comment', about.comment),
    ...optional('externalReference', about.instance),
  }
}

/**
 * Unix ms in seconds: by specification 2.10, start and completion are in seconds, and the history
 * is in milliseconds.
 */
export function toSeconds(at: number): number {
  return Math.floor(at / 1000)
}
