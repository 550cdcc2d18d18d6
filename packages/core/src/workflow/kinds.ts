/** The kind of job that asks an engine again what it gave no answer to. */
export const settleKind = 'workflow.settle'

/** The kind of job that merges a package whose workflow completed. */
export const completionKind = 'workflow.merge'

/** One such job of an action is in the queue. */
export function settleKey(actionId: string): string {
  return `${settleKind}:${actionId}`
}
