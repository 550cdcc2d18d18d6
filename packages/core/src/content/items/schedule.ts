import { QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { endWithin, newJob, type JobHandler } from '../../engine/job.ts'
import { callAs, principalOf, storedPrincipal } from '../../engine/system-call.ts'
import type { Branch, Job } from '../../ports/index.ts'
import type { ItemTarget } from './find.ts'
import { mayInLocales } from './locale-rights.ts'
import { serializeHead } from './serialize.ts'

/** The changes of an item that can be scheduled. */
type ScheduledKind = 'item.publish' | 'item.unpublish'

/**
 * Schedules a change of an item. An item has at most one scheduled change of each kind: a new time
 * replaces the previous one, and null cancels it. The change runs with the permissions that the
 * caller has at that time. Errors: `forbidden` if it is scheduled in more locales than the caller may
 * publish.
 */
export async function scheduleItem(
  call: WriteCall,
  { scope, item }: ItemTarget,
  { kind, at, locales }: { kind: ScheduledKind; at: number | null; locales: string[] | undefined },
): Promise<Serialized<Item>> {
  const { repositoryId } = scope.branch
  const key = scheduleKey(scope.branch, { kind, id: item.id })
  const before = await call.store.jobs.findUnended(key)
  if (before) {
    const what = { scope, type: { name: item.type }, locales: localesOf(before) }
    if (!mayInLocales(call, 'items.publish', what))
      throw new QuireError('forbidden', 'It is scheduled in locales in which you may not publish.')
    await call.store.jobs.cancel(before.id, call.now)
  }
  if (at !== null) {
    const payload = {
      principal: storedPrincipal(call),
      configId: repositoryId,
      ...(scope.package && { packageName: scope.package.name }),
      id: item.id,
      ...(locales && { locales }),
    }
    await call.enqueue(newJob(call, { kind, repositoryId, key, payload, maxAttempts: 3, runAt: at }))
  }
  return serializeHead(call, scope.branch, item)
}

/** A scheduled change of an item. */
interface ScheduledChange {
  readonly kind: ScheduledKind
  /** The item. */
  readonly id: string
}

function scheduleKey({ repositoryId, packageId }: Branch, { kind, id }: ScheduledChange): string {
  return `${kind}:${packageId ?? repositoryId}:${id}`
}

type Schedule = Contract['items']['schedule']

/** When an item is to be published and unpublished. */
export async function itemSchedule(
  call: Call,
  _input: ParsedOf<Schedule>,
  { item: { id }, scope: { branch } }: ItemTarget,
): Promise<OutputOf<Schedule>> {
  const [publish, unpublish] = await Promise.all([
    scheduled(call, branch, { kind: 'item.publish', id }),
    scheduled(call, branch, { kind: 'item.unpublish', id }),
  ])
  return { publish, unpublish }
}

/** When a change is scheduled for (Unix ms), and in which locales; null if it is not. */
export async function scheduled(
  { store }: Call,
  branch: Branch,
  change: ScheduledChange,
): Promise<OutputOf<Schedule>['publish']> {
  const job = await store.jobs.findUnended(scheduleKey(branch, change))
  if (!job) return null
  const locales = localesOf(job)
  return { at: job.runAt, ...(locales && { locales }) }
}

/** The locales that a scheduled change names; undefined: none. */
function localesOf({ payload: { locales } }: Pick<Job, 'payload'>): string[] | undefined {
  return Array.isArray(locales) ? locales.map(String) : undefined
}

/** The jobs that publish or unpublish an item at a scheduled time. */
export const scheduledItems: ReadonlyMap<ScheduledKind, JobHandler> = new Map([
  ['item.publish', handlerOf('items.publish')],
  ['item.unpublish', handlerOf('items.unpublish')],
])

function handlerOf(operation: 'items.publish' | 'items.unpublish'): JobHandler {
  return {
    slots: 4,
    each: 4,
    async run(job, { call }) {
      const { principal, ...input } = job.payload
      const caller = await callAs(call, principalOf(principal))
      await caller.write(async (call) => {
        await call.invoke(operation, input)
        await endWithin(call, job)
      })
      return null
    },
  }
}
