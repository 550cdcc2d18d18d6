import { QuireError } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { callAs, principalOf } from '../../engine/system-call.ts'
import { endWithin } from '../../engine/job.ts'
import { JobFailed, type JobContext, type JobHandler } from '../../engine/job-handler.ts'
import type { Scope } from '../../engine/scope.ts'
import { BlobCorrupt, type Job, type StoredBlob } from '../../ports/index.ts'
import { changedSince, journalEnd } from './changed-since.ts'
import { openSite } from './find.ts'
import { activateNew, storedPublications } from './publications.ts'
import { readManifest, writeManifest } from './publication/store-manifest.ts'
import type { Manifest } from './publication/manifest.ts'
import { publishKind } from './publish.ts'
import type { Publishing } from './publishing-parts.ts'
import { readSiteMap } from './read-site-map.ts'
import { makePublication } from './make-publication.ts'
import { TemplateFault } from './render/template-fault.ts'

/** Publishes sites: one at a time, so that no two hold their pages in memory. */
export const sitePublishing: ReadonlyMap<string, JobHandler> = new Map([
  [publishKind, { slots: 1, each: 1, adds: true, run: runPublish }],
])

interface PublishRequest {
  readonly siteId: string
  readonly comment: string
  readonly full: boolean
  readonly principal: unknown
}

/** Errors: JobFailed naming page, template and line; what is served stays as it was. */
async function runPublish(job: Job, context: JobContext): Promise<null> {
  const wanted = job.payload as unknown as PublishRequest
  try {
    await publish(job, context, wanted)
    return null
  } catch (error) {
    if (error instanceof TemplateFault) throw new JobFailed(error.message, { isFinal: true, cause: error })
    throw error
  }
}

async function publish(
  job: Job,
  context: JobContext,
  { siteId, comment, full, principal }: PublishRequest,
): Promise<void> {
  const { call } = context
  const ref = { configId: job.repositoryId, siteId }
  const caller = await callAs(call, principalOf(principal))
  const { scope, site } = await openSite(caller, ref, 'publish')
  const { repository, branch } = scope
  // Before anything is read: what changes while pages are rendered is seen the next time.
  const since = await journalEnd(call, repository.id)
  const map = await readSiteMap(call, branch, site)
  const { before, newest } = await manifestsBefore(call, scope, siteId)
  const { slug, baseUrl: own } = map.site
  const baseUrl = own === '' ? `${call.environment.baseUrl}/sites/${slug}` : own
  // Links and lists of another address are in every page.
  const isSame = before !== null && before.baseUrl === baseUrl && !full
  const changed = isSame ? await changedSince(call, repository.id, Number(before.since)) : 'all'
  const parts = { scope, map, before, newest, changed, since: String(since), baseUrl }
  const made = await makePublication(context, parts)
  const stored = await writeManifest(call.environment.blobs, made.manifest)
  await caller.write(async (call) => {
    // It may be gone by now, or have another address.
    const now = await openSite(call, ref, 'publish')
    await activateNew(call, { ...made, ...now, stored, comment })
    await endWithin(call, job)
  })
}

/** What is served now, and the newest that is kept where that is another. Errors: BlobsUnavailable. */
async function manifestsBefore(
  call: Call,
  { branch }: Scope,
  siteId: string,
): Promise<Pick<Publishing, 'before' | 'newest'>> {
  const { records, entities } = call.store
  const active = await records.get('publishedSite', siteId)
  const [newest] = await storedPublications(entities, branch, siteId)
  const isOther = newest !== undefined && newest.id !== active?.publicationId
  return {
    before: active ? await manifestLeft(call, active.manifest) : null,
    newest: isOther ? await manifestLeft(call, newest.manifest) : null,
  }
}

/** An earlier manifest; null: it is lost. Errors: BlobsUnavailable: it may be there the next time. */
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
