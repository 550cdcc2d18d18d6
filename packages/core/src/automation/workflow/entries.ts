import { limits, type WorkflowHistoryEntry, type WorkflowInfo } from '@quire/contract'
import type { PendingAction } from './records.ts'

/** A member where it has a value. */
export function optional<N extends string, T>(name: N, value: T | null | undefined): { [M in N]?: T } {
  // A name that is computed is no type of its own to the compiler.
  return value === null || value === undefined ? {} : ({ [name]: value } as { [M in N]?: T })
}

/** The same with one entry more: the newest that are kept. */
export function withEntry(info: WorkflowInfo, entry: WorkflowHistoryEntry): WorkflowInfo {
  return { ...info, history: [...info.history, entry].slice(-limits.workflowHistory) }
}

/** What the history says of an action. */
export function entryOf(
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

/** What the history says of what an engine told by itself. */
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

/** Specification 2.10: these two are seconds, the history is milliseconds. */
export function seconds(at: number): number {
  return Math.floor(at / 1000)
}
