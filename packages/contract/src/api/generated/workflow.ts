// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'
import type { UserRef } from './items.ts'
import type { ListOf } from './lists.ts'
import type { Package } from './packages.ts'

/** The operations of `workflow`. The review of packages by an external engine. */
export interface WorkflowApi {
  /**
   * Start the review of a package, or act on it.
   *
   * If the service or the engine rejects the event, the response is 400 with the usual members,
   * `success` false and a readable `error` (specification 7.4), and nothing has changed. If it is
   * unknown whether the engine accepted the event, the service retries with the same key, and you can
   * do the same. `cancel` deletes the package whatever the engine responds, with or without a
   * workflow; after the merge it is 409 `package_merged`.
   *
   * `POST /api/workflow/events`.
   * Permission: `workflow.start` or `workflow.act` or `workflow.assign`.
   *
   * @param input.event - The action; all except `assign` are sent to the engine.
   * @param input.repositoryId - A repository's id or name.
   * @param input.packageName - The name of the package.
   * @param input.workflowId - For `start`: the workflow definition. Default: the one of the
   *   repository.
   * @param input.targetStep - For `route`: the step to go to.
   * @param input.comment - Comment for the history; also sent to the engine, except for `start` and
   *   `assign`.
   * @param input.assignee - For `assign`: who is to act.
   * @param input.metadata - Additional members of the request to the engine.
   * @throws `not_found` - Not found.
   * @throws `workflow_failed` - The workflow did not accept this: see error.
   * @throws `package_merged` - The package has been merged: it can no longer be cancelled or reviewed.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly event: (input: WorkflowEventInput, options?: CallOptions) => Promise<WorkflowOutcome>

  /**
   * Report the status of a workflow (for engines).
   *
   * Authenticated by `X-API-Key` or `X-Webhook-Signature` (specification 5.3) of the connection that
   * the workflow runs on. The signature is `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, at
   * most five minutes old. Sending the same message twice has one effect. Any status is accepted in
   * any state: `active` after `completed` reopens the review. Once the package is merged, a message is
   * only added to the history.
   *
   * `POST /api/workflow/status`.
   * Public: needs no token.
   *
   * @param input.apiKey - Sent as the header `X-API-Key`.
   * @param input.signature - Sent as the header `X-Webhook-Signature`.
   * @param input.messageId - Sent as the header `Idempotency-Key`: a repeated message with the same
   *   key has no effect.
   * @param input.workflowInstanceId
   * @param input.repositoryId - A repository's id or name.
   * @param input.packageName - The name of the package.
   * @param input.currentStep
   * @param input.status - Status of the workflow. completed and cancelled end the review; an engine
   *   can reopen a completed one until the package is merged.
   * @param input.nextActionUrl - URL on the origin of the connection or on one that it allows; any
   *   other URL is ignored.
   * @param input.assignee - Who did something (specification 2.3).
   * @param input.comment
   * @param input.metadata
   * @throws `unauthorized` - A valid bearer token is required: get one at POST /oauth2/token.
   * @throws `workflow_mismatch` - Another workflow instance is reviewing the package: nothing was
   *   changed.
   * @throws `invalid`, `too_large`, `too_many_requests`, `internal`, `unavailable`, `no_room`,
   *   `quota_exceeded` - As every operation of its kind.
   */
  readonly status: (input: WorkflowStatusInput, options?: CallOptions) => Promise<WorkflowOutcome>

  /**
   * Read the review of a package.
   *
   * For a deleted package, send its id instead of its name.
   *
   * `GET /api/workflow/{repo}/{packageName}`.
   * Permission: `packages.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: WorkflowGetInput, options?: CallOptions) => Promise<WorkflowGetOutput>

  /**
   * List packages under review.
   *
   * Returns the newest 10 entries of each history; `workflow.get` returns all.
   *
   * `GET /api/workflow/{repo}`.
   * Permission: `packages.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.assignee - Only reviews assigned to this user; `me`: to you.
   * @param input.mayAct - true: only reviews that you may act on now; false: only the others. You may
   *   act on reviews that are assigned to you, on unassigned reviews of your groups, and on all that
   *   you may assign.
   * @param input.status - Only reviews with this status. Default: active and error.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly inbox: (input: WorkflowInboxInput, options?: CallOptions) => Promise<ListOf<Review>>
}

/** The action; all except `assign` are sent to the engine */
export type WorkflowEvent = 'start' | 'approve' | 'reject' | 'route' | 'cancel' | 'assign'

/** Who is to act next */
export interface Assignee {
  /** The id of a user or service account */
  userName: string
  displayName?: string | undefined
  email?: string | undefined
}

export interface WorkflowMetadata {
  [name: string]: JsonValue
}

/** The result of a workflow event or callback (specification 4.8) */
export interface WorkflowOutcome {
  success: boolean
  /** What happened, in words */
  message: string
  /** The review now; null if no workflow is attached */
  workflowInfo: WorkflowInfo | null
  /** The reason, if it failed */
  error?: string | undefined
}

/** The state of the review of a package (specification 2.10) */
export interface WorkflowInfo {
  /** The name of the workflow definition */
  workflowName: string
  /** Id of the instance in the engine */
  workflowInstanceId?: string | undefined
  currentStep: string
  /**
   * Status of the workflow. completed and cancelled end the review; an engine can reopen a completed
   * one until the package is merged
   */
  status: WorkflowStatus
  /** URL that the next action of a reviewer is posted to */
  nextActionUrl?: string | undefined
  /** Unix seconds */
  startedAt: number
  /** Unix seconds */
  completedAt?: number | undefined
  /** Who did something (specification 2.3) */
  assignee?: UserRef | undefined
  /** Free-form data from the engine */
  metadata?: Record<string, JsonValue> | undefined
  steps: WorkflowStep[]
  /** The newest 1000 entries of the history, oldest first */
  history: WorkflowHistoryEntry[]
}

/**
 * Status of the workflow. completed and cancelled end the review; an engine can reopen a completed one
 * until the package is merged
 */
export type WorkflowStatus = 'active' | 'completed' | 'cancelled' | 'error'

/** One step of a workflow (specification 2.10) */
export interface WorkflowStep {
  /** Key of the step */
  name: string
  /** Display name */
  label: string
  /** Actions that the step accepts; empty: the engine decides */
  allowedActions: ('start' | 'approve' | 'reject' | 'route' | 'cancel')[]
  /** Ids of the groups whose members can be assigned to the step; empty: anyone */
  assignedGroups: string[]
}

/** An entry in the history of a workflow */
export interface WorkflowHistoryEntry {
  /** Unix milliseconds */
  timestamp: number
  /** What was done */
  action: 'start' | 'approve' | 'reject' | 'route' | 'cancel' | 'assign' | 'status_update'
  /** The previous step; null for start */
  fromStep: string | null
  /** The step afterwards */
  toStep: string
  /** Who did something (specification 2.3) */
  user?: UserRef | undefined
  comment?: string | undefined
  /** Id of the instance in the engine */
  externalReference?: string | undefined
}

/** A package under review */
export interface Review {
  /** An update package: a branch of its repository */
  package: Package
  /** The state of the review of a package (specification 2.10) */
  workflowInfo: WorkflowInfo
}

/** The input of `workflow.event` */
export interface WorkflowEventInput {
  /** The action; all except `assign` are sent to the engine */
  event: WorkflowEvent
  /** A repository's id or name */
  repositoryId: string
  /** The name of the package */
  packageName: string
  /** For `start`: the workflow definition. Default: the one of the repository */
  workflowId?: string | undefined
  /** For `route`: the step to go to */
  targetStep?: string | undefined
  /** Comment for the history; also sent to the engine, except for `start` and `assign` */
  comment?: string | undefined
  /** For `assign`: who is to act */
  assignee?: Assignee | undefined
  /** Additional members of the request to the engine */
  metadata?: WorkflowMetadata | undefined
}

/** The input of `workflow.status` */
export interface WorkflowStatusInput {
  /** Sent as the header `X-API-Key` */
  apiKey?: string | undefined
  /** Sent as the header `X-Webhook-Signature` */
  signature?: string | undefined
  /** Sent as the header `Idempotency-Key`: a repeated message with the same key has no effect */
  messageId?: string | undefined
  workflowInstanceId: string
  /** A repository's id or name */
  repositoryId: string
  /** The name of the package */
  packageName: string
  currentStep: string
  /**
   * Status of the workflow. completed and cancelled end the review; an engine can reopen a completed
   * one until the package is merged
   */
  status: WorkflowStatus
  /** URL on the origin of the connection or on one that it allows; any other URL is ignored */
  nextActionUrl?: string | null | undefined
  /** Who did something (specification 2.3) */
  assignee?: UserRef | null | undefined
  comment?: string | undefined
  metadata?: WorkflowMetadata | null | undefined
}

/** The input of `workflow.get` */
export interface WorkflowGetInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
}

/** The result of `workflow.get` */
export interface WorkflowGetOutput {
  /** null: no workflow is attached */
  workflowInfo: WorkflowInfo | null
}

/** The input of `workflow.inbox` */
export interface WorkflowInboxInput {
  /** A repository's id or name */
  repo: string
  /** Only reviews assigned to this user; `me`: to you */
  assignee?: string | undefined
  /**
   * true: only reviews that you may act on now; false: only the others. You may act on reviews that
   * are assigned to you, on unassigned reviews of your groups, and on all that you may assign
   */
  mayAct?: boolean | undefined
  /** Only reviews with this status. Default: active and error */
  status?: WorkflowStatus | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}
