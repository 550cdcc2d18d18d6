import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { keptWho } from '../call/call-as.ts'
import { newJob } from '../call/job.ts'
import { presentJob } from '../call/present-job.ts'
import { openSite } from './find.ts'

type Publish = Contract['sites']['publish']

/** The kind of the jobs that publish sites. */
export const publishKind = 'site.publish'

/** Queues a publication; one of the same site that has not ended is joined. Errors: `not_found`, `forbidden`. */
export function publishSite(
  call: Call,
  { comment = '', full, ...ref }: ParsedOf<Publish>,
): Promise<OutputOf<Publish>> {
  return call.transaction(async (tx) => {
    const { place, site } = await openSite(within(call, tx), ref, 'publish')
    const job = newJob(call, {
      kind: publishKind,
      repositoryId: place.repository.id,
      subject: site.id,
      key: `${publishKind}:${site.id}`,
      payload: { siteId: site.id, comment, full, who: keptWho(call) },
      maxAttempts: 3,
    })
    return presentJob(await tx.jobs.enqueue(job))
  })
}
