import type { Call, WriteCall } from '../../engine/call.ts'
import { storedPrincipal } from '../../engine/system-call.ts'
import { newJob } from '../../engine/job.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'

/** What can be done to an item at a time that was said before. */
export type ScheduledKind = 'item.publish' | 'item.unpublish'

/**
 * Puts off what is done to an item: an item has one time for each kind, and a new one takes the place of that before. null: takes it
 * back. It is done with the rights that whoever asked for it has then.
 */
export async function scheduleItem(
  call: WriteCall,
  { kind, scope, head, at }: { kind: ScheduledKind; scope: Scope; head: Entity; at: number | null },
): Promise<void> {
  const { repositoryId, packageId } = scope.branch
  const key = `${kind}:${packageId ?? repositoryId}:${head.id}`
  const before = await call.store.jobs.findUnended(key)
  if (before) await call.store.jobs.cancel(before.id, call.now)
  if (at === null) return
  const payload = {
    principal: storedPrincipal(call),
    configId: repositoryId,
    ...(scope.package && { packageName: scope.package.name }),
    id: head.id,
  }
  await call.enqueue(newJob(call, { kind, repositoryId, key, payload, maxAttempts: 3, runAt: at }))
}

/** Whether a time is yet to come, so that what is asked for is put off; a time that has passed is now. */
export function isPutOff(call: Call, at: number | null | undefined): at is number | null {
  return at === null || (at !== undefined && at > call.now)
}
