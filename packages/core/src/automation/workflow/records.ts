import type {
  WorkflowConnection,
  WorkflowDefinition,
  WorkflowEvent,
  WorkflowInfo,
  WorkflowStatus,
} from '@quire/contract'
import type { UserRef, JsonObject } from '../../ports/index.ts'

/** A connection to a workflow engine as stored: what is secret of it is sealed. */
export interface WorkflowConnectionRecord extends WorkflowConnection {
  /** `ConnectionSecrets` as JSON, sealed. */
  readonly sealedSecrets: string
}

/** What an engine was asked, and has not answered for certain. */
export interface PendingAction {
  /** The same each time that it is asked: sent as `Idempotency-Key`. */
  readonly id: string
  readonly event: Exclude<WorkflowEvent, 'assign'>
  readonly targetStep?: string
  readonly comment?: string
  readonly user: UserRef
  /** Whose it is, as `storedPrincipal` has it: to cancel is to delete, which is looked at again when the engine has taken it. */
  readonly principal: JsonObject
  /** Of `start`: the name of the definition. */
  readonly workflowName: string
  /** The connection that is asked. Of `start` it is the workflow's once the engine has taken it. */
  readonly connectionId: string
  readonly url: string
  /** Ms that the engine has for an answer. */
  readonly timeoutMs: number
  /** What is posted, as JSON: the same each time. */
  readonly body: string
  /** Unix ms of the first time. */
  readonly sentAt: number
  /** Unix ms until which somebody waits for the answer. */
  readonly until: number
  /** How often it was asked: what is refused after the first time may have been taken then. */
  readonly tries: number
  /** Whether the engine told more since: its answer is older than what is known. */
  readonly isOvertaken: boolean
  /** Of `start`: whether the engine told of the instance before it answered. What else it knows is asked for still. */
  readonly isAdopted: boolean
  /** Whether nobody asks again by itself. What the engine tells of a start counts still. */
  readonly isGivenUp: boolean
  /** Under which the answer is kept, where callers sent an Idempotency-Key. */
  readonly once: readonly { readonly name: string; readonly request: string }[]
}

/** How an action ended that was pending last. */
interface EndedAction {
  readonly id: string
  readonly isInUse: boolean
}

/** What an engine tells of a workflow by itself. */
export interface WorkflowCallback {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: WorkflowStatus
  /** Absent: as before; null: none. */
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
  /** What is known of it; null while the engine has not answered its start. */
  readonly info: WorkflowInfo | null
  /**
   * Names of its steps that are for holders of `workflow.assign` alone: the engine named groups for them of which none may see the
   * repository, or actions of which none is ours. In `info` they look like steps for anybody. Absent: there are none.
   */
  readonly restricted?: readonly string[]
  readonly pending: PendingAction | null
  /** What was pending before; null: nothing. */
  readonly ended: EndedAction | null
  /** Callbacks that came while an answer was waited for, the oldest first: they count after it. */
  readonly held: readonly WorkflowCallback[]
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    workflow: WorkflowRecord
    workflowConnection: WorkflowConnectionRecord
    workflowDefinition: WorkflowDefinition
  }
}

/** The kind of job that asks an engine again what it gave no answer to. */
export const reconcileKind = 'workflow.settle'

/** The kind of job that merges a package whose workflow completed. */
export const completionKind = 'workflow.merge'

/** One such job of an action is in the queue. */
export function reconcileKey(actionId: string): string {
  return `${reconcileKind}:${actionId}`
}
