import { z } from 'zod'
import { Id, PackageName, RepositoryRef, UnixMs, UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { Package } from '../../branches/packages/shapes.ts'

/** Where a workflow stands (specification 3.1). */
export const WorkflowStatus = z
  .enum(['active', 'completed', 'cancelled', 'error'])
  .describe('Where the workflow stands; completed and cancelled are final')

/** Where a workflow stands. */
export type WorkflowStatus = z.output<typeof WorkflowStatus>

/** What reviewers do, in the engine. */
export const workflowActions = ['start', 'approve', 'reject', 'route', 'cancel'] as const

/** What reviewers do: all but `assign` by way of the engine (specification 3.1). */
export const WorkflowEvent = z
  .enum([...workflowActions, 'assign'])
  .describe('What is done; all but `assign` is told to the engine')

/** What reviewers do. */
export type WorkflowEvent = z.output<typeof WorkflowEvent>

const StepName = z.string().min(1).max(limits.name)

/** One step of a workflow (specification 2.10). */
export const WorkflowStep = z
  .object({
    name: StepName.describe('The key of the step'),
    label: z.string().max(limits.name).describe('Its name for people'),
    allowedActions: z
      .array(z.enum(workflowActions))
      .max(workflowActions.length)
      .default([])
      .describe('What can be done in it; empty: what the engine takes'),
    assignedGroups: z
      .array(Id)
      .max(limits.workflowGroups)
      .default([])
      .describe('Security groups whose members can be assigned to the step; empty: anybody'),
  })
  .meta({ id: 'WorkflowStep', description: 'One step of a workflow (specification 2.10)' })

/** One step of a workflow. */
export type WorkflowStep = z.output<typeof WorkflowStep>

/** One thing that happened in a workflow (specification 2.10). */
export const WorkflowHistoryEntry = z
  .object({
    timestamp: UnixMs,
    action: z.enum([...workflowActions, 'assign', 'status_update']).describe('What was done'),
    fromStep: z.string().nullable().describe('The step before; null for start'),
    toStep: z.string().describe('The step after'),
    user: UserRef.optional(),
    comment: z.string().optional(),
    externalReference: z.string().optional().describe('The instance in the engine'),
  })
  .meta({ id: 'WorkflowHistoryEntry', description: 'One thing that happened in a workflow' })

/** One thing that happened in a workflow. */
export type WorkflowHistoryEntry = z.output<typeof WorkflowHistoryEntry>

/** Free-form data of an engine or for one. */
export const WorkflowMetadata = z
  .record(z.string().max(limits.name), z.json())
  .refine(
    (metadata) => JSON.stringify(metadata).length <= limits.workflowMetadata,
    `is more than ${limits.workflowMetadata} characters of JSON`,
  )

/** Where the review of a package stands (specification 2.10). */
export const WorkflowInfo = z
  .object({
    workflowName: z.string().describe('The name of the workflow definition'),
    workflowInstanceId: z.string().optional().describe('The instance in the engine'),
    currentStep: z.string(),
    status: WorkflowStatus.default('active'),
    nextActionUrl: z.string().optional().describe('Where the next action of a reviewer is posted'),
    startedAt: z.int().describe('Unix seconds'),
    completedAt: z.int().optional().describe('Unix seconds'),
    assignee: UserRef.optional(),
    metadata: z.record(z.string(), z.json()).optional().describe('From the engine, free-form'),
    steps: z.array(WorkflowStep).default([]),
    history: z
      .array(WorkflowHistoryEntry)
      .default([])
      .describe(`What happened, the oldest first; the newest ${limits.workflowHistory}`),
  })
  .meta({ id: 'WorkflowInfo', description: 'Where the review of a package stands (specification 2.10)' })

/** Where the review of a package stands. */
export type WorkflowInfo = z.output<typeof WorkflowInfo>

/** What came of an event or of a callback (specification 4.8). */
export const WorkflowOutcome = z
  .object({
    success: z.boolean(),
    message: z.string().describe('What happened, for people'),
    workflowInfo: WorkflowInfo.nullable().describe('Where it stands now; null while no workflow is attached'),
    error: z.string().optional().describe('What is wrong, where it failed'),
  })
  .meta({ id: 'WorkflowOutcome', description: 'What came of a workflow event (specification 4.8)' })

/** What came of an event or of a callback. */
export type WorkflowOutcome = z.output<typeof WorkflowOutcome>

/** A package under review. */
export const Review = z
  .object({ package: Package, workflowInfo: WorkflowInfo })
  .meta({ id: 'Review', description: 'A package under review' })

/** A package under review. */
export type Review = z.output<typeof Review>

/** How a package is named where it does not stand in a path. */
export const onReviewed = {
  repositoryId: RepositoryRef,
  packageName: PackageName.describe('The name of the package'),
}

/** Somebody, as named in a request: what else is known of them is looked up. */
export const Assignee = z
  .strictObject({
    userName: Id.describe('The id of a user or service account'),
    displayName: z.string().max(limits.name).optional(),
    email: z.string().max(limits.id).optional(),
  })
  .describe('Who is to act next')
