import { scheduledItems } from './content/items/schedule.ts'
import { mergeKind, scheduledMerges } from './branches/packages/merge.ts'
import { createDeliveryHandler } from './automation/webhooks/deliver.ts'
import { deliveryKind } from './automation/webhooks/record.ts'
import { docsSync } from './admin/rebuild.ts'
import { fileMaintenance } from './files/assets/maintenance.ts'
import { keyRotation } from './people/auth/keys.ts'
import { schemaPlans } from './content/schema/plan-job.ts'
import type { JobHandler } from './engine/job.ts'
import { assetSync } from './files/renditions/sync-assets.ts'
import { graphReload } from './content/repositories/record.ts'
import { localeChanges } from './content/repositories/set-locales.ts'
import { sitePublishing } from './delivery/sites/publishing.ts'
import { uploadSweep } from './files/uploads/draft.ts'
import { workflowJobs } from './automation/workflow/jobs.ts'
import { itemPurge, sweeps } from './automation/jobs/sweep.ts'

/** The handler of every kind of job. A new kind is one entry here. */
export function createHandlers(): ReadonlyMap<string, JobHandler> {
  return new Map<string, JobHandler>([
    [deliveryKind, createDeliveryHandler()],
    ...scheduledItems,
    ...schemaPlans,
    [mergeKind, scheduledMerges],
    ...workflowJobs,
    ...assetSync,
    ...docsSync,
    ...sitePublishing,
    ...graphReload,
    ...localeChanges,
    ...itemPurge,
    ...fileMaintenance,
    ...uploadSweep,
    ...keyRotation,
    ...sweeps,
  ])
}
