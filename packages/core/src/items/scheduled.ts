import { within } from '../call/call.ts'
import { callAs, whoOf } from '../call/call-as.ts'
import { endWithin } from '../call/end-within.ts'
import type { JobHandler } from '../call/job-handler.ts'
import { publishItem, unpublishItem } from './publish.ts'
import type { ScheduledKind } from './schedule.ts'

/** Does what was put off. */
export const scheduledItems: ReadonlyMap<ScheduledKind, JobHandler> = new Map([
  ['item.publish', handlerOf(publishItem)],
  ['item.unpublish', handlerOf(unpublishItem)],
])

function handlerOf(operation: typeof publishItem): JobHandler {
  return {
    places: 4,
    each: 4,
    async run(job, { call }) {
      const { who, ...input } = job.payload as { who: unknown } & Parameters<typeof publishItem>[1]
      const caller = await callAs(call, whoOf(who))
      await caller.transaction(async (tx) => {
        await operation(within(caller, tx), input)
        await endWithin(call, tx, job)
      })
      return null
    },
  }
}
