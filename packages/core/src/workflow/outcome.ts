import type { WorkflowEvent, WorkflowInfo, WorkflowOutcome } from '@quire/contract'

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
export function toldOutcome(info: WorkflowInfo | null, message?: string): WorkflowOutcome {
  return {
    success: true,
    message: message ?? `The workflow stands as told${whereOf(info)}.`,
    workflowInfo: info,
  }
}

function whereOf(info: WorkflowInfo | null): string {
  return info ? `: it is ${info.status}, at "${info.currentStep}"` : ''
}
