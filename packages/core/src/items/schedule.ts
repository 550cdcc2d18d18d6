import type { Call } from '../call/call.ts'
import { keptWho } from '../call/call-as.ts'
import { newJob } from '../call/job.ts'
import type { Place } from '../lines/lines.ts'
import type { Entity, Transaction } from '../ports/index.ts'

/** What can be done to an item at a time that was said before. */
export type ScheduledKind = 'item.publish' | 'item.unpublish'

/**
 * Puts off what is done to an item: an item has one time for each kind, and a new one takes the place of that before. null: takes it
 * back. It is done with the rights that whoever asked for it has then.
 */
export async function scheduleItem(
  call: Call,
  tx: Transaction,
  { kind, place, head, at }: { kind: ScheduledKind; place: Place; head: Entity; at: number | null },
): Promise<void> {
  const { repositoryId, packageId } = place.line
  const key = `${kind}:${packageId ?? repositoryId}:${head.id}`
  const before = await tx.jobs.findUnended(key)
  if (before) await tx.jobs.cancel(before.id, call.now)
  if (at === null) return
  const payload = {
    who: keptWho(call),
    configId: repositoryId,
    ...(place.package && { packageName: place.package.name }),
    id: head.id,
  }
  await tx.jobs.enqueue(newJob(call, { kind, repositoryId, key, payload, maxAttempts: 3, runAt: at }))
}

/** Whether a time is yet to come, so that what is asked for is put off; a time that has passed is now. */
export function isPutOff(call: Call, at: number | null | undefined): at is number | null {
  return at === null || (at !== undefined && at > call.now)
}
