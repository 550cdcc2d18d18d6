import type { SchemaPlan } from '@quire/contract'
import type { Call } from '../../engine/call.ts'

/** The kind of job that compares a schema with the content types. */
export const planKind = 'schema.plan'

/** Milliseconds for which a finished comparison is used. */
const usedFor = 600_000

// Comparisons to look through: more than people start in ten minutes.
const mostJobs = 20

/** The plan that a job of the same caller has made of the same schema and content types; null if there is none. */
export async function plannedBefore(call: Call, planId: string): Promise<SchemaPlan | null> {
  const jobs = await call.store.jobs.list({ kind: planKind, state: 'succeeded', limit: mostJobs })
  const found = jobs.find(
    ({ payload, createdBy, finishedAt }) =>
      payload['planId'] === planId &&
      createdBy.userName === call.identity.ref.userName &&
      (finishedAt ?? 0) > call.now - usedFor,
  )
  // The result of the job is such a plan.
  return (found?.result?.['plan'] ?? null) as unknown as SchemaPlan | null
}
