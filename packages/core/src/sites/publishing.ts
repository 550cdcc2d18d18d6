import { QuireError } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { callAs, whoOf } from '../call/call-as.ts'
import { endWithin } from '../call/end-within.ts'
import { JobFailed, type Doing, type JobHandler } from '../call/job-handler.ts'
import type { Place } from '../lines/lines.ts'
import { BlobCorrupt, type Job, type StoredBlob } from '../ports/index.ts'
import { changedSince, journalEnd } from './changed-since.ts'
import { openSite } from './find.ts'
import { activateNew, keptPublications } from './publications.ts'
import { readManifest, writeManifest } from './publication/keep-manifest.ts'
import type { Manifest } from './publication/manifest.ts'
import { publishKind } from './publish.ts'
import type { Publishing } from './publishing-parts.ts'
import { readSiteMap } from './read-site-map.ts'
import { makePublication } from './make-publication.ts'
import { TemplateFault } from './render/template-fault.ts'

/** Publishes sites: one at a time, so that no two hold their pages in memory. */
export const sitePublishing: ReadonlyMap<string, JobHandler> = new Map([
  [publishKind, { places: 1, each: 1, run: runPublish }],
])

interface Wanted {
  readonly siteId: string
  readonly comment: string
  readonly full: boolean
  readonly who: unknown
}

/** Errors: JobFailed naming page, template and line; what is served stays as it was. */
async function runPublish(job: Job, doing: Doing): Promise<null> {
  const wanted = job.payload as unknown as Wanted
  try {
    await publish(job, doing, wanted)
    return null
  } catch (error) {
    if (error instanceof TemplateFault) throw new JobFailed(error.message, { isFinal: true, cause: error })
    throw error
  }
}

async function publish(job: Job, doing: Doing, { siteId, comment, full, who }: Wanted): Promise<void> {
  const { call } = doing
  const ref = { configId: job.repositoryId, siteId }
  const caller = await callAs(call, whoOf(who))
  const { place, site } = await openSite(caller, ref, 'publish')
  const { repository, line } = place
  // Before anything is read: what changes while pages are rendered is seen the next time.
  const since = await journalEnd(call, repository.id)
  const map = await readSiteMap(call, line, site)
  const { before, newest } = await manifestsBefore(call, place, siteId)
  const { slug, baseUrl: own } = map.site
  const baseUrl = own === '' ? `${call.environment.baseUrl}/sites/${slug}` : own
  // Links and lists of another address are in every page.
  const isSame = before !== null && before.baseUrl === baseUrl && !full
  const changed = isSame ? await changedSince(call, repository.id, Number(before.since)) : 'all'
  const parts = { place, map, before, newest, changed, since: String(since), baseUrl }
  const made = await makePublication(doing, parts)
  const kept = await writeManifest(call.environment.blobs, made.manifest)
  await caller.transaction(async (tx) => {
    const inside = within(caller, tx)
    // It may be gone by now, or have another address.
    const now = await openSite(inside, ref, 'publish')
    await activateNew(inside, tx, { ...made, ...now, kept, comment })
    await endWithin(call, tx, job)
  })
}

/** What is served now, and the newest that is kept where that is another. Errors: BlobsUnavailable. */
async function manifestsBefore(
  call: Call,
  { line }: Place,
  siteId: string,
): Promise<Pick<Publishing, 'before' | 'newest'>> {
  const { records, entities } = call.store
  const active = await records.get('publishedSite', siteId)
  const [newest] = await keptPublications(entities, line, siteId)
  const isOther = newest !== undefined && newest.id !== active?.publicationId
  return {
    before: active ? await manifestLeft(call, active.manifest) : null,
    newest: isOther ? await manifestLeft(call, newest.manifest) : null,
  }
}

/** A manifest of before; null: it is lost. Errors: BlobsUnavailable: it may be there the next time. */
async function manifestLeft(
  { environment: { blobs, log } }: Call,
  { hash }: StoredBlob,
): Promise<Manifest | null> {
  try {
    return await readManifest(blobs, hash)
  } catch (error) {
    if (!(error instanceof QuireError || error instanceof BlobCorrupt)) throw error
    log.write('error', 'publication.lost', { manifest: hash, error: String(error) })
    return null
  }
}
