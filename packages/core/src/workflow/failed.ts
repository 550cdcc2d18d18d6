import { QuireError } from '@quire/contract'
import type { WorkflowRecord } from '../ports/index.ts'

/** A workflow error (specification 7.4), with where the workflow stands. */
export function workflowFailed(message: string, record: Pick<WorkflowRecord, 'info'> | null): QuireError {
  return new QuireError('workflow_failed', message, { details: { workflowInfo: record?.info ?? null } })
}
