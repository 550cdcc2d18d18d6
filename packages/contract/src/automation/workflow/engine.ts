import { z } from 'zod'
import type { UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { workflowActions, WorkflowMetadata, WorkflowStatus, WorkflowStep } from './shapes.ts'

const Text = z.string().min(1).max(limits.name)

/** Some engines use numbers as instance ids. */
const InstanceId = z.union([z.string().min(1).max(limits.id), z.number().transform(String)])

/**
 * A step as an engine reports it. The label defaults to the name, and unknown actions are dropped.
 * If all the named actions are unknown, the step is marked `isForeign`: an empty list of actions
 * would otherwise mean that the step accepts every action.
 */
const EngineStep = z
  .object({
    ...WorkflowStep.shape,
    label: z.string().max(limits.name).optional(),
    allowedActions: z.array(z.string()).max(100).default([]),
  })
  .transform(({ label, allowedActions: named, ...step }) => {
    const allowedActions = workflowActions.filter((action) => named.includes(action))
    const isForeign = named.length > 0 && allowedActions.length === 0
    return { ...step, label: label ?? step.name, allowedActions, ...(isForeign && { isForeign }) }
  })

/**
 * A step as an engine reports it. `isForeign`: it accepts only actions that Quire does not know.
 */
export type EngineStep = z.output<typeof EngineStep>

const EngineUser = z
  .object({ userName: Text, displayName: z.string().optional(), email: z.string().optional() })
  .transform(({ userName, displayName = userName, email = '' }): z.output<typeof UserRef> => ({
    userName,
    displayName,
    email,
  }))

/**
 * The members of an engine's response that are used (specification 4.8). Absent: unchanged; null:
 * none. Others are ignored.
 */
export const EngineAnswer = z.object({
  workflowInstanceId: InstanceId.nullish(),
  id: InstanceId.nullish(),
  currentStep: Text.nullish(),
  status: WorkflowStatus.nullish(),
  nextActionUrl: z.string().max(2000).nullish(),
  assignee: EngineUser.nullish(),
  metadata: WorkflowMetadata.nullish(),
  steps: z.array(EngineStep).max(limits.workflowSteps).nullish(),
})

/** The members of an engine's response that are used. */
export type EngineAnswer = z.output<typeof EngineAnswer>
