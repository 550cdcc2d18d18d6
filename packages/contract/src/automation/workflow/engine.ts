import { z } from 'zod'
import type { UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { workflowActions, WorkflowMetadata, WorkflowStatus, WorkflowStep } from './shapes.ts'

const Text = z.string().min(1).max(limits.name)

/** Engines count their instances in numbers too. */
const InstanceId = z.union([z.string().min(1).max(limits.id), z.number().transform(String)])

/**
 * A step as an engine tells of it: without a label it is called by its name, and actions that are none of ours are its own affair. Where it
 * named no others, that is kept apart from having named none, which is to take whatever comes.
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

/** A step as an engine tells of it; `isForeign`: it takes actions that are none of ours alone. */
export type EngineStep = z.output<typeof EngineStep>

const EngineUser = z
  .object({ userName: Text, displayName: z.string().optional(), email: z.string().optional() })
  .transform(({ userName, displayName = userName, email = '' }): z.output<typeof UserRef> => ({
    userName,
    displayName,
    email,
  }))

/** What is read of an engine's answer (specification 4.8). Absent: as before; null: none. Other members are its own affair. */
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

/** What is read of an engine's answer. */
export type EngineAnswer = z.output<typeof EngineAnswer>
