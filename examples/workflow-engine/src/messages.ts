import { z } from 'zod'

const User = z.object({
  userName: z.string(),
  displayName: z.string().optional(),
  email: z.string().optional(),
})

/** What a start call says. Quire sends more: the rest of the package, and what the caller added. */
export const StartMessage = z.object({
  action: z.literal('start'),
  statusCallbackUrl: z.url({ protocol: /^https?$/ }),
  payload: z.object({ repositoryId: z.string(), name: z.string() }),
})

/** What a start call says. */
export type StartMessage = z.output<typeof StartMessage>

/** What a reviewer does. */
export const ActionMessage = z.object({
  workflowInstanceId: z.string(),
  action: z.enum(['approve', 'reject', 'route', 'cancel']),
  targetStep: z.string().optional(),
  comment: z.string().optional(),
  user: User,
})

/** What a reviewer does. */
export type ActionMessage = z.output<typeof ActionMessage>

/** Where an instance stands, as Quire calls it. */
export type Status = 'active' | 'completed' | 'cancelled' | 'error'

/** A step as Quire shows it. */
interface StepView {
  readonly name: string
  readonly label: string
  readonly allowedActions: readonly string[]
  /** Ids of security groups in Quire; empty: anybody. */
  readonly assignedGroups: readonly string[]
}

/** What a start and an action are answered with. */
export interface InstanceView {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: Status
  /** Where the next action is posted; absent once it has ended. */
  readonly nextActionUrl?: string
  readonly steps: readonly StepView[]
}

/** What Quire is told of its own accord. */
export interface StatusMessage {
  readonly workflowInstanceId: string
  readonly repositoryId: string
  readonly packageName: string
  readonly currentStep: string
  readonly status: Status
  readonly nextActionUrl?: string
  readonly comment?: string
}
