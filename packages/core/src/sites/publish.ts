import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { keptWho } from '../call/call-as.ts'
import { newJob } from '../call/job.ts'
import { isSame } from '../merge/same.ts'
import { presentJob } from '../call/present-job.ts'
import { openSite } from './find.ts'

type Publish = Contract['sites']['publish']

/** The kind of the jobs that publish sites. */
export const publishKind = 'site.publish'

/** Queues a publication; one that waits and was asked for alike is joined. Errors: `not_found`, `forbidden`. */
export function publishSite(
  call: Call,
  { comment = '', full, ...ref }: ParsedOf<Publish>,
): Promise<OutputOf<Publish>> {
  return call.transaction(async (tx) => {
    const { place, site } = await openSite(within(call, tx), ref, 'publish')
    const payload = { siteId: site.id, comment, full, who: keptWho(call) }
    const waiting = await tx.jobs.list({ kind: publishKind, subject: site.id, state: 'queued', limit: 10 })
    // One that runs already may have passed what changed since.
    const same = waiting.find((one) => isSame(one.payload, payload))
    if (same) return presentJob(same)
    const { id: repositoryId } = place.repository
    const wanted = { kind: publishKind, repositoryId, subject: site.id, payload, maxAttempts: 3 }
    return presentJob(await tx.jobs.enqueue(newJob(call, wanted)))
  })
}
