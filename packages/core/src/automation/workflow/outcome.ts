import { QuireError, type WorkflowInfo, type WorkflowEvent, type WorkflowOutcome } from '@quire/contract'
import { type WorkflowRecord, type WorkflowConnectionRecord } from './records.ts'

const done: Readonly<Record<WorkflowEvent, string>> = {
  start: 'The review has begun',
  approve: 'The engine took the approval',
  reject: 'The engine took the rejection, and the package is open for changes',
  route: 'The engine took it on',
  cancel: 'The review was cancelled, and the package deleted',
  assign: 'The step was assigned',
}

/** What an event that was taken is answered with. */
export function outcomeOf(event: WorkflowEvent, info: WorkflowInfo | null): WorkflowOutcome {
  return { success: true, message: `${done[event]}${whereOf(info)}.`, workflowInfo: info }
}

/** What a callback is answered with. */
export function reportedOutcome(info: WorkflowInfo | null, message?: string): WorkflowOutcome {
  return {
    success: true,
    message: message ?? `The workflow stands as told${whereOf(info)}.`,
    workflowInfo: info,
  }
}

function whereOf(info: WorkflowInfo | null): string {
  return info ? `: it is ${info.status}, at "${info.currentStep}"` : ''
}

/** A workflow error (specification 7.4), with where the workflow stands. */
export function workflowFailed(message: string, record: Pick<WorkflowRecord, 'info'> | null): QuireError {
  return new QuireError('workflow_failed', message, { details: { workflowInfo: record?.info ?? null } })
}

/**
 * Where the next action is posted, as a whole address; null when it is none, or not on the origin of the connection or one that it allows: what we
 * post carries the connection's credentials (TRUST S01).
 */
export function actionUrl(
  { baseUrl, allowedOrigins }: Pick<WorkflowConnectionRecord, 'baseUrl' | 'allowedOrigins'>,
  url: string,
): string | null {
  const base = URL.parse(baseUrl)
  const parsed = URL.parse(url, baseUrl)
  if (!base || !parsed || parsed.username !== '' || parsed.password !== '') return null
  // A blob: address has the origin of the one that stands within it.
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null
  return parsed.origin === base.origin || allowedOrigins.includes(parsed.origin) ? parsed.href : null
}
