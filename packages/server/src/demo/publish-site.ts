import type { Api } from '@quire/contract'
import type { Quire } from '@quire/core'

/** A site that is to be published. */
export interface SiteToPublish {
  readonly configId: string
  readonly siteId: string
  readonly comment: string
}

/**
 * Publishes a site, waits for the job, and returns the number of pages. Errors: Error when the job
 * failed.
 */
export async function publishSite(api: Api, quire: Quire, site: SiteToPublish): Promise<number> {
  const job = await api.sites.publish(site)
  await quire.settled()
  const { state, error } = await api.queue.get({ jobId: job.id })
  if (state !== 'succeeded') throw new Error(`The site was not published (${state}): ${error ?? ''}`)
  const { configId, siteId } = site
  const { items } = await api.sites.publications({ configId, siteId })
  return items[0]?.pages ?? 0
}
