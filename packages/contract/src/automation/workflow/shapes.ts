import { z } from 'zod'
import { Id, PackageName, RepositoryRef, UnixMs, UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { Package } from '../../branches/packages/shapes.ts'

/** The status of a workflow (specification 3.1). */
export const WorkflowStatus = z
  .enum(['active', 'completed', 'cancelled', 'error'])
  .describe(
    'Status of the workflow. completed and cancelled end the review; an engine can reopen a completed one until the package is merged',
  )

/** The status of a workflow. */
export type WorkflowStatus = z.output<typeof WorkflowStatus>

/** The actions of reviewers that the engine knows. */
export const workflowActions = ['start', 'approve', 'reject', 'route', 'cancel'] as const

/** The actions of reviewers. All except `assign` are sent to the engine (specification 3.1). */
export const WorkflowEvent = z
  .enum([...workflowActions, 'assign'])
  .describe('The action; all except `assign` are sent to the engine')

/** The actions of reviewers. */
export type WorkflowEvent = z.output<typeof WorkflowEvent>

const StepName = z.string().min(1).max(limits.name)

/** One step of a workflow (specification 2.10). */
export const WorkflowStep = z
  .object({
    name: StepName.describe('Key of the step'),
    label: z.string().max(limits.name).describe('Display name'),
    allowedActions: z
      .array(z.enum(workflowActions))
      .max(workflowActions.length)
      .default([])
      .describe('Actions that the step accepts; empty: the engine decides'),
    assignedGroups: z
      .array(Id)
      .max(limits.workflowGroups)
      .default([])
      .describe('Ids of the groups whose members can be assigned to the step; empty: anyone'),
  })
  .meta({ id: 'WorkflowStep', description: 'One step of a workflow (specification 2.10)' })

/** One step of a workflow. */
export type WorkflowStep = z.output<typeof WorkflowStep>

/** An entry in the history of a workflow (specification 2.10). */
export const WorkflowHistoryEntry = z
  .object({
    timestamp: UnixMs,
    action: z.enum([...workflowActions, 'assign', 'status_update']).describe('What was done'),
    fromStep: z.string().nullable().describe('The previous step; null for start'),
    toStep: z.string().describe('The step afterwards'),
    user: UserRef.optional(),
    comment: z.string().optional(),
    externalReference: z.string().optional().describe('Id of the instance in the engine'),
  })
  .meta({ id: 'WorkflowHistoryEntry', description: 'An entry in the history of a workflow' })

/** An entry in the history of a workflow. */
export type WorkflowHistoryEntry = z.output<typeof WorkflowHistoryEntry>

/** Free-form data from or for an engine. */
export const WorkflowMetadata = z
  .record(z.string().max(limits.name), z.json())
  .refine(
    (metadata) => JSON.stringify(metadata).length <= limits.workflowMetadata,
    `must have at most ${limits.workflowMetadata} characters as JSON`,
  )

/** The state of the review of a package (specification 2.10). */
export const WorkflowInfo = z
  .object({
    workflowName: z.string().describe('The name of the workflow definition'),
    workflowInstanceId: z.string().optional().describe('Id of the instance in the engine'),
    currentStep: z.string(),
    status: WorkflowStatus.default('active'),
    nextActionUrl: z.string().optional().describe('URL that the next action of a reviewer is posted to'),
    startedAt: z.int().describe('Unix seconds'),
    completedAt: z.int().optional().describe('Unix seconds'),
    assignee: UserRef.optional(),
    metadata: z.record(z.string(), z.json()).optional().describe('Free-form data from the engine'),
    steps: z.array(WorkflowStep).default([]),
    history: z
      .array(WorkflowHistoryEntry)
      .default([])
      .describe(`The newest ${limits.workflowHistory} entries of the history, oldest first`),
  })
  .meta({ id: 'WorkflowInfo', description: 'The state of the review of a package (specification 2.10)' })

/** The state of the review of a package. */
export type WorkflowInfo = z.output<typeof WorkflowInfo>

/** The result of an event or callback (specification 4.8). */
export const WorkflowOutcome = z
  .object({
    success: z.boolean(),
    message: z.string().describe('What happened, in words'),
    workflowInfo: WorkflowInfo.nullable().describe('The review now; null if no workflow is attached'),
    error: z.string().optional().describe('The reason, if it failed'),
  })
  .meta({
    id: 'WorkflowOutcome',
    description: 'The result of a workflow event or callback (specification 4.8)',
  })

/** The result of an event or callback. */
export type WorkflowOutcome = z.output<typeof WorkflowOutcome>

/** A package under review. */
export const Review = z
  .object({ package: Package, workflowInfo: WorkflowInfo })
  .meta({ id: 'Review', description: 'A package under review' })

/** A package under review. */
export type Review = z.output<typeof Review>

/** The members that name a package when it is not in the path. */
export const onReviewed = {
  repositoryId: RepositoryRef,
  packageName: PackageName.describe('The name of the package'),
}

/** A user or service account as a request names it. Everything but `userName` is looked up. */
export const Assignee = z
  .strictObject({
    userName: Id.describe('The id of a user or service account'),
    displayName: z.string().max(limits.name).optional(),
    email: z.string().max(limits.id).optional(),
  })
  .describe('Who is to act next')
