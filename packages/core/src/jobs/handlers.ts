import { scheduledItems } from '../items/scheduled.ts'
import { mergeKind, scheduledMerges } from '../packages/schedule-merge.ts'
import { createDelivering } from '../webhooks/deliver.ts'
import { deliveryKind } from '../webhooks/kind.ts'
import { docsSync } from '../admin/sync-docs.ts'
import { fileUpkeep } from '../assets/upkeep-jobs.ts'
import { keyTurning } from '../auth/turn-keys-job.ts'
import type { JobHandler } from '../call/job-handler.ts'
import { assetSync } from '../renditions/sync-assets.ts'
import { graphReload } from '../repositories/reload-graph.ts'
import { sitePublishing } from '../sites/publishing.ts'
import { uploadSweep } from '../uploads/sweep-job.ts'
import { workflowJobs } from '../workflow/jobs.ts'
import { itemPurge } from './purge.ts'
import { sweeps } from './sweep.ts'

/** How every kind of job is done. A new kind costs one line here. */
export function createHandlers(): ReadonlyMap<string, JobHandler> {
  return new Map<string, JobHandler>([
    [deliveryKind, createDelivering()],
    ...scheduledItems,
    [mergeKind, scheduledMerges],
    ...workflowJobs,
    ...assetSync,
    ...docsSync,
    ...sitePublishing,
    ...graphReload,
    ...itemPurge,
    ...fileUpkeep,
    ...uploadSweep,
    ...keyTurning,
    ...sweeps,
  ])
}
