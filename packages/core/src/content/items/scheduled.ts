import { callAs, principalOf } from '../../engine/system-call.ts'
import { endWithin } from '../../engine/job.ts'
import type { JobHandler } from '../../engine/job-handler.ts'
import type { ScheduledKind } from './schedule.ts'

/** Publishes or unpublishes at the time that was given. */
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
