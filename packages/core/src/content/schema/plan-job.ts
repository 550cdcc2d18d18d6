import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { newJob, serializeJob, type JobContext, type JobHandler } from '../../engine/job.ts'
import { callAs, principalOf, storedPrincipal } from '../../engine/system-call.ts'
import type { Job, JsonObject } from '../../ports/index.ts'
import { comparedTypes, plannedSchema } from './plan.ts'
import { planKind } from './planned-before.ts'

type Start = Contract['schema']['startPlan']
type Input = ParsedOf<Contract['schema']['plan']>

/** Queues the comparison of a schema. Errors: as for a plan. */
export async function startPlan(call: Call, input: ParsedOf<Start>): Promise<OutputOf<Start>> {
  const { planId } = await comparedTypes(call, input)
  // The input was parsed from JSON.
  const payload = { planId, principal: storedPrincipal(call), input: input as unknown as JsonObject }
  const job = { kind: planKind, payload, maxAttempts: 3 }
  return call.write(async (call) => serializeJob(await call.enqueue(newJob(call, job))))
}

/** Compares one schema at a time, because each reads as many items as it can. */
export const schemaPlans: ReadonlyMap<string, JobHandler> = new Map([
  [planKind, { slots: 1, each: 1, run: runPlan }],
])

async function runPlan({ payload }: Job, { call, signal, progress }: JobContext): Promise<JsonObject> {
  const caller = await callAs(call, principalOf(payload['principal']))
  // What `startPlan` has stored.
  const input = payload['input'] as unknown as Input
  const { plan } = await plannedSchema({ ...caller, signal }, input, (done, total) =>
    progress({ done, total, message: 'items' }),
  )
  return { plan: plan as unknown as JsonObject }
}
