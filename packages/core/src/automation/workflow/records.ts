import type {
  WorkflowConnection,
  WorkflowDefinition,
  WorkflowEvent,
  WorkflowInfo,
  WorkflowStatus,
} from '@quire/contract'
import type { UserRef, JsonObject } from '../../ports/index.ts'

/** A connection to a workflow engine as stored, with its secrets sealed. */
export interface WorkflowConnectionRecord extends WorkflowConnection {
  /** `ConnectionSecrets` as JSON, sealed. */
  readonly sealedSecrets: string
}

/** An action that was posted to an engine and has no conclusive answer yet. */
export interface PendingAction {
  /** The same for every attempt. Sent as `Idempotency-Key`. */
  readonly id: string
  readonly event: Exclude<WorkflowEvent, 'assign'>
  readonly targetStep?: string
  readonly comment?: string
  readonly user: UserRef
  /**
   * The caller, as returned by `storedPrincipal`. A cancel deletes, and the permission is checked
   * again when it takes effect.
   */
  readonly principal: JsonObject
  /** For `start`: the name of the definition. */
  readonly workflowName: string
  /**
   * The connection that is asked. For `start`, it becomes the workflow's own once the engine has
   * accepted the action.
   */
  readonly connectionId: string
  readonly url: string
  /** Milliseconds that the engine has for an answer. */
  readonly timeoutMs: number
  /** The request body, as JSON. The same for every attempt. */
  readonly body: string
  /** Unix ms of the first attempt. */
  readonly sentAt: number
  /** Unix ms until which a process waits for the answer. */
  readonly until: number
  /** Attempts so far. If a later one is rejected, the engine may have accepted an earlier one. */
  readonly tries: number
  /**
   * Whether the engine reported a status since, which makes its answer older than what is known.
   */
  readonly isOvertaken: boolean
  /**
   * For `start`: whether a callback named the instance before the answer. The answer is still
   * needed for the steps.
   */
  readonly isAdopted: boolean
  /**
   * Whether it is no longer repeated automatically. A callback can still show that a start was
   * accepted.
   */
  readonly isGivenUp: boolean
  /** The idempotency keys of callers under which the answer will be stored. */
  readonly once: readonly { readonly name: string; readonly request: string }[]
}

/** The end of the last pending action. */
interface EndedAction {
  readonly id: string
  /** Whether the engine accepted it. */
  readonly isInUse: boolean
}

/** A status that an engine reports by itself. */
export interface WorkflowCallback {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: WorkflowStatus
  /** Absent: unchanged; null: removed. */
  readonly nextActionUrl?: string | null
  readonly assignee?: UserRef | null
  readonly comment?: string
  readonly metadata?: WorkflowInfo['metadata'] | null
}

/** The review of a package by an engine. The id is the package's. */
export interface WorkflowRecord {
  readonly id: string
  readonly repositoryId: string
  readonly connectionId: string
  /** Null until the engine has answered the start. */
  readonly info: WorkflowInfo | null
  /**
   * Names of steps that only holders of `workflow.assign` may act in: none of their groups may see
   * the repository, or none of their actions is known here. In `info` they look like steps for
   * anyone. Absent: there are none.
   */
  readonly restricted?: readonly string[]
  readonly pending: PendingAction | null
  /** The last action that was pending; null: there was none. */
  readonly ended: EndedAction | null
  /**
   * Callbacks that arrived while an answer was pending, oldest first. They are applied after it.
   */
  readonly held: readonly WorkflowCallback[]
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    workflow: WorkflowRecord
    workflowConnection: WorkflowConnectionRecord
    workflowDefinition: WorkflowDefinition
  }
}

/** The kind of job that repeats an action without a conclusive answer. */
export const reconcileKind = 'workflow.settle'

/** The kind of job that merges a package whose workflow completed. */
export const completionKind = 'workflow.merge'

/** The key of the job that repeats an action. It ensures that there is only one in the queue. */
export function reconcileKey(actionId: string): string {
  return `${reconcileKind}:${actionId}`
}
