import { QuireError, type WorkflowInfo, type WorkflowEvent, type WorkflowOutcome } from '@quire/contract'
import { type WorkflowRecord, type WorkflowConnectionRecord } from './records.ts'

const messages: Readonly<Record<WorkflowEvent, string>> = {
  start: 'The review has begun',
  approve: 'The engine accepted the approval',
  reject: 'The engine accepted the rejection, and the package is open for changes',
  route: 'The engine accepted the routing',
  cancel: 'The review was cancelled, and the package deleted',
  assign: 'The step was assigned',
}

/** The answer to an event that the engine accepted. */
export function outcomeOf(event: WorkflowEvent, info: WorkflowInfo | null): WorkflowOutcome {
  return { success: true, message: `${messages[event]}${positionOf(info)}.`, workflowInfo: info }
}

/** The answer to a callback. */
export function callbackOutcome(info: WorkflowInfo | null, message?: string): WorkflowOutcome {
  return {
    success: true,
    message: message ?? `The workflow was updated${positionOf(info)}.`,
    workflowInfo: info,
  }
}

function positionOf(info: WorkflowInfo | null): string {
  return info ? `: it is ${info.status}, at "${info.currentStep}"` : ''
}

/** A workflow error (specification 7.4), with the workflow in its details. */
export function workflowFailed(message: string, record: Pick<WorkflowRecord, 'info'> | null): QuireError {
  return new QuireError('workflow_failed', message, { details: { workflowInfo: record?.info ?? null } })
}

/**
 * The absolute URL of the next action. Null if the URL is invalid, or if its origin is neither that
 * of the connection nor one that the connection allows, because requests carry the connection's
 * credentials (TRUST S01).
 */
export function actionUrl(
  { baseUrl, allowedOrigins }: Pick<WorkflowConnectionRecord, 'baseUrl' | 'allowedOrigins'>,
  url: string,
): string | null {
  const base = URL.parse(baseUrl)
  const parsed = URL.parse(url, baseUrl)
  if (!base || !parsed || parsed.username !== '' || parsed.password !== '') return null
  // A blob: URL has the origin of the URL inside it.
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null
  return parsed.origin === base.origin || allowedOrigins.includes(parsed.origin) ? parsed.href : null
}
