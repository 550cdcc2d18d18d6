// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ListOf } from './lists.ts'

/**
 * The operations of `workflowDefinitions`. Connections to workflow engines, and the workflows that can
 * be started.
 */
export interface WorkflowDefinitionsApi {
  /**
   * List workflow definitions.
   *
   * `GET /api/admin/workflow/definitions`.
   * Permission: `admin.workflow.view` or `workflow.start`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: WorkflowDefinitionsListInput, options?: CallOptions) => Promise<ListOf<WorkflowDefinition>>

  /**
   * Read a workflow definition.
   *
   * `GET /api/admin/workflow/definitions/{id}`.
   * Permission: `admin.workflow.view` or `workflow.start`.
   *
   * @param input.id - The definition.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: WorkflowDefinitionsGetInput, options?: CallOptions) => Promise<WorkflowDefinition>

  /**
   * Define a workflow.
   *
   * `POST /api/admin/workflow/definitions`.
   * Permission: `admin.workflow.update`.
   *
   * @param input.name - Unique name; `workflowName` of the workflows it starts.
   * @param input.connectionId - The connection to the engine.
   * @param input.initialTriggerUrl - Path that starts a workflow; it is appended to `baseUrl` of the
   *   connection.
   * @param input.processDefinitionKey - Key of the process in the engine; it replaces
   *   `{processDefinitionKey}` in `initialTriggerUrl`.
   * @param input.description - Free text, at most 10 000 characters.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: WorkflowDefinitionsCreateInput, options?: CallOptions) => Promise<WorkflowDefinition>

  /**
   * Change a workflow definition.
   *
   * Workflows that are already running are not affected.
   *
   * `PATCH /api/admin/workflow/definitions/{id}`.
   * Permission: `admin.workflow.update`.
   *
   * @param input.id - The definition.
   * @param input.name - Unique name; `workflowName` of the workflows it starts.
   * @param input.connectionId - The connection to the engine.
   * @param input.processDefinitionKey - Key of the process in the engine; it replaces
   *   `{processDefinitionKey}` in `initialTriggerUrl`.
   * @param input.initialTriggerUrl - Path that starts a workflow; it is appended to `baseUrl` of the
   *   connection.
   * @param input.description - Free text, at most 10 000 characters.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: WorkflowDefinitionsUpdateInput, options?: CallOptions) => Promise<WorkflowDefinition>

  /**
   * Delete a workflow definition.
   *
   * 409 `referenced` while it is the default of a repository. Workflows that are already running
   * continue.
   *
   * `DELETE /api/admin/workflow/definitions/{id}`.
   * Permission: `admin.workflow.update`.
   *
   * @param input.id - The definition.
   * @throws `not_found` - Not found.
   * @throws `referenced` - Other items refer to this one: see details.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: WorkflowDefinitionsDeleteInput, options?: CallOptions) => Promise<undefined>
}

/** A workflow that can be started (specification 2.15) */
export interface WorkflowDefinition {
  /** An id, as answered by the operation that created it */
  id: string
  /** Unique name; `workflowName` of the workflows it starts */
  name: string
  /** The connection to the engine */
  connectionId: string
  /** Key of the process in the engine; it replaces `{processDefinitionKey}` in `initialTriggerUrl` */
  processDefinitionKey: string | null
  /** Path that starts a workflow; it is appended to `baseUrl` of the connection */
  initialTriggerUrl: string
  /** Free text, at most 10 000 characters */
  description: string
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** The input of `workflowDefinitions.list` */
export interface WorkflowDefinitionsListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `workflowDefinitions.get` */
export interface WorkflowDefinitionsGetInput {
  /** The definition */
  id: string
}

/** The input of `workflowDefinitions.create` */
export interface WorkflowDefinitionsCreateInput {
  /** Unique name; `workflowName` of the workflows it starts */
  name: string
  /** The connection to the engine */
  connectionId: string
  /** Path that starts a workflow; it is appended to `baseUrl` of the connection */
  initialTriggerUrl: string
  /**
   * Key of the process in the engine; it replaces `{processDefinitionKey}` in `initialTriggerUrl`
   * @default null
   */
  processDefinitionKey?: string | null | undefined
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
}

/** The input of `workflowDefinitions.update` */
export interface WorkflowDefinitionsUpdateInput {
  /** The definition */
  id: string
  /** Unique name; `workflowName` of the workflows it starts */
  name?: string | undefined
  /** The connection to the engine */
  connectionId?: string | undefined
  /** Key of the process in the engine; it replaces `{processDefinitionKey}` in `initialTriggerUrl` */
  processDefinitionKey?: string | null | undefined
  /** Path that starts a workflow; it is appended to `baseUrl` of the connection */
  initialTriggerUrl?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
}

/** The input of `workflowDefinitions.delete` */
export interface WorkflowDefinitionsDeleteInput {
  /** The definition */
  id: string
}
