import { callAs, whoOf } from '../call/call-as.ts'
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
    async run({ payload }, { call }) {
      const { who, ...input } = payload as { who: unknown } & Parameters<typeof publishItem>[1]
      await operation(await callAs(call, whoOf(who)), input)
      return null
    },
  }
}
