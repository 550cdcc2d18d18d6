import { scheduledItems } from '../items/scheduled.ts'
import { mergeKind, scheduledMerges } from '../packages/schedule-merge.ts'
import { createDelivering } from '../webhooks/deliver.ts'
import { deliveryKind } from '../webhooks/kind.ts'
import type { JobHandler } from '../call/job-handler.ts'

/** How every kind of job is done. A new kind costs one line here. */
export function createHandlers(): ReadonlyMap<string, JobHandler> {
  return new Map<string, JobHandler>([
    [deliveryKind, createDelivering()],
    ...scheduledItems,
    [mergeKind, scheduledMerges],
  ])
}
