import { scheduledItems } from './content/items/scheduled.ts'
import { mergeKind, scheduledMerges } from './branches/packages/schedule-merge.ts'
import { createDelivering } from './automation/webhooks/deliver.ts'
import { deliveryKind } from './automation/webhooks/kind.ts'
import { docsSync } from './admin/sync-docs.ts'
import { fileMaintenance } from './files/assets/maintenance-jobs.ts'
import { keyTurning } from './people/auth/rotate-keys-job.ts'
import type { JobHandler } from './engine/job-handler.ts'
import { assetSync } from './files/renditions/sync-assets.ts'
import { graphReload } from './content/repositories/reload-graph.ts'
import { sitePublishing } from './delivery/sites/publishing.ts'
import { uploadSweep } from './files/uploads/sweep.ts'
import { workflowJobs } from './automation/workflow/jobs.ts'
import { itemPurge } from './automation/jobs/purge.ts'
import { sweeps } from './automation/jobs/sweep.ts'

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
    ...fileMaintenance,
    ...uploadSweep,
    ...keyTurning,
    ...sweeps,
  ])
}
