import { z } from 'zod'

const User = z.object({
  userName: z.string(),
  displayName: z.string().optional(),
  email: z.string().optional(),
})

/** A start request. Quire sends more: the rest of the package, and the caller's additions. */
export const StartMessage = z.object({
  action: z.literal('start'),
  statusCallbackUrl: z.url({ protocol: /^https?$/ }),
  payload: z.object({ repositoryId: z.string(), name: z.string() }),
})

export type StartMessage = z.output<typeof StartMessage>

/** An action of a reviewer. */
export const ActionMessage = z.object({
  workflowInstanceId: z.string(),
  action: z.enum(['approve', 'reject', 'route', 'cancel']),
  targetStep: z.string().optional(),
  comment: z.string().optional(),
  user: User,
})

export type ActionMessage = z.output<typeof ActionMessage>

/** The status of an instance, in Quire's terms. */
export type Status = 'active' | 'completed' | 'cancelled' | 'error'

/** A step as Quire displays it. */
interface StepView {
  readonly name: string
  readonly label: string
  readonly allowedActions: readonly string[]
  /** Ids of groups in Quire; empty: anyone. */
  readonly assignedGroups: readonly string[]
}

/** The answer to a start and to an action. */
export interface InstanceView {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: Status
  /** The URL for the next action; absent once the instance has ended. */
  readonly nextActionUrl?: string
  readonly steps: readonly StepView[]
}

/** A callback to Quire. */
export interface StatusMessage {
  readonly workflowInstanceId: string
  readonly repositoryId: string
  readonly packageName: string
  readonly currentStep: string
  readonly status: Status
  readonly nextActionUrl?: string
  readonly comment?: string
}
