import { storedPrincipal } from '../../engine/system-call.ts'
import type { Call } from '../../engine/call.ts'
import type { PackageScope } from '../../branches/packages/record.ts'
import type { Stored } from '../../ports/index.ts'
import type { PendingAction } from './records.ts'
import type { EngineRequest, WorkflowInput } from './engine-request.ts'

/** An event that is told to the engine. */
export interface ActionInput extends WorkflowInput {
  readonly event: PendingAction['event']
}

/** Something that somebody wants of a review. */
export interface ActionContext {
  readonly scope: PackageScope
  readonly before: Stored<'workflow'> | null
  readonly input: ActionInput
}

/** An action of the caller as it is kept before the engine is asked. */
export function pendingOf(
  call: Call,
  { event, comment, targetStep }: ActionInput,
  request: EngineRequest,
): PendingAction {
  const { environment, identity, now, once } = call
  return {
    ...request,
    id: environment.ids.next('WFAC'),
    event,
    user: identity.ref,
    principal: storedPrincipal(call),
    ...(comment !== undefined && { comment }),
    ...(targetStep !== undefined && { targetStep }),
    sentAt: now,
    until: now + request.timeoutMs,
    tries: 1,
    isOvertaken: false,
    isAdopted: false,
    isGivenUp: false,
    once: once ? [once] : [],
  }
}
