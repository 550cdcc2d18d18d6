import { QuireError } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { callAs, whoOf } from '../call/call-as.ts'
import { endWithin } from '../call/end-within.ts'
import { JobFailed, type Doing, type JobHandler } from '../call/job-handler.ts'
import { findRepository, type Place } from '../lines/lines.ts'
import type { Entity, Job, StoredBlob } from '../ports/index.ts'
import { changedSince, journalEnd } from './changed-since.ts'
import { activateNew } from './publications.ts'
import { readManifest, writeManifest } from './publication/keep-manifest.ts'
import type { Manifest } from './publication/manifest.ts'
import { publishKind } from './publish.ts'
import { readSiteMap } from './read-site-map.ts'
import { makePublication } from './make-publication.ts'
import { TemplateFault } from './render/template-fault.ts'
import { siteRules } from './kinds.ts'
import { findStructure } from '../structure/find.ts'

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
  const { blobs } = call.environment
  const { repository, line, site } = await siteOf(call, job.repositoryId, siteId)
  // Before anything is read: what changes while pages are rendered is seen the next time.
  const since = await journalEnd(call, repository.id)
  const map = await readSiteMap(call, line, site)
  const before = await activeManifest(call, siteId)
  const changed = before && !full ? await changedSince(call, repository.id, Number(before.since)) : 'all'
  const place: Place = { repository, package: null, line }
  const { slug, baseUrl: own } = map.site
  const baseUrl = own === '' ? `${call.environment.baseUrl}/sites/${slug}` : own
  // Links and lists of another address are in every page.
  const isMoved = before?.baseUrl !== baseUrl
  const made = await makePublication(doing, {
    place,
    map,
    before,
    changed: isMoved ? 'all' : changed,
    since: String(since),
    baseUrl,
  })
  const kept = await writeManifest(blobs, made.manifest)
  const caller = await callAs(call, whoOf(who))
  await caller.transaction(async (tx) => {
    await activateNew(within(caller, tx), tx, { ...made, place, site, kept, comment })
    await endWithin(call, tx, job)
  })
}

interface FoundSite extends Omit<Place, 'package'> {
  readonly site: Entity
}

/** Errors: JobFailed when it was deleted before. */
async function siteOf(call: Call, repositoryId: string, siteId: string): Promise<FoundSite> {
  try {
    const repository = await findRepository(call, repositoryId)
    const line = { repositoryId: repository.id, packageId: null }
    const place: Place = { repository, package: null, line }
    return { repository, line, site: await findStructure(call, place, { rules: siteRules, id: siteId }) }
  } catch (error) {
    if (!(error instanceof QuireError)) throw error
    throw new JobFailed('The site was deleted before it was published.', { isFinal: true, cause: error })
  }
}

/** What is served now; null: nothing, or what it was is lost. */
async function activeManifest({ store, environment }: Call, siteId: string): Promise<Manifest | null> {
  const active = await store.records.get('publishedSite', siteId)
  if (!active) return null
  return readManifestOf(environment, active.manifest)
}

async function readManifestOf(
  { blobs, log }: Call['environment'],
  { hash }: StoredBlob,
): Promise<Manifest | null> {
  try {
    return await readManifest(blobs, hash)
  } catch (error) {
    log.write('warn', 'publication.lost', { manifest: hash, error: String(error) })
    return null
  }
}
