/** The kind of job that asks an engine again what it gave no answer to. */
export const reconcileKind = 'workflow.settle'

/** The kind of job that merges a package whose workflow completed. */
export const completionKind = 'workflow.merge'

/** One such job of an action is in the queue. */
export function reconcileKey(actionId: string): string {
  return `${reconcileKind}:${actionId}`
}
