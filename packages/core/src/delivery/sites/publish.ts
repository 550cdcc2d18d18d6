import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { storedPrincipal } from '../../engine/system-call.ts'
import { newJob, serializeJob } from '../../engine/job.ts'
import { isSame } from '../../engine/same.ts'
import { openSite } from './find.ts'

type Publish = Contract['sites']['publish']

/** The kind of the jobs that publish sites. */
export const publishKind = 'site.publish'

/** Queues a publication; one that waits and was asked for alike is joined. Errors: `not_found`, `forbidden`. */
export function publishSite(
  call: Call,
  { comment = '', full, ...ref }: ParsedOf<Publish>,
): Promise<OutputOf<Publish>> {
  return call.write(async (call) => {
    const { scope, site } = await openSite(call, ref, 'publish')
    const payload = { siteId: site.id, comment, full, principal: storedPrincipal(call) }
    const waiting = await call.store.jobs.list({
      kind: publishKind,
      subject: site.id,
      state: 'queued',
      limit: 10,
    })
    // One that runs already may have passed what changed since.
    const same = waiting.find((one) => isSame(one.payload, payload))
    if (same) return serializeJob(same)
    const { id: repositoryId } = scope.repository
    const wanted = { kind: publishKind, repositoryId, subject: site.id, payload, maxAttempts: 3 }
    return serializeJob(await call.enqueue(newJob(call, wanted)))
  })
}
