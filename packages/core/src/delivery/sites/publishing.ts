import { contract, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { callAs, principalOf, storedPrincipal } from '../../engine/system-call.ts'
import {
  endWithin,
  newJob,
  serializeJob,
  JobFailed,
  type JobContext,
  type JobHandler,
} from '../../engine/job.ts'
import { splitTrace } from '../../engine/job-trace.ts'
import type { Scope } from '../../engine/scope.ts'
import { findSiteTarget, type SiteTarget } from './find.ts'
import { activateNew, storedPublications, type NewPublication } from './publications.ts'
import { type Manifest } from './publication/manifest.ts'
import { readManifest, writeManifest } from './publication/store-manifest.ts'
import { mapsOf, readSite } from './site-map.ts'
import { makePublication } from './make-publication.ts'
import { TemplateFault } from './render/template-fault.ts'
import { isSame } from '../../engine/same.ts'
import { BlobCorrupt, type Job, type StoredBlob } from '../../ports/index.ts'
import { type PublicationParts } from './publication-parts.ts'

/** The kind of job that publishes a site. */
const publishKind = 'site.publish'

const { permission: toPublish } = contract.sites.publish

/** Publishes sites one at a time, so that only one holds its pages in memory. */
export const sitePublishing: ReadonlyMap<string, JobHandler> = new Map([
  [publishKind, { slots: 1, each: 1, adds: true, run: runPublish }],
])

interface PublishRequest {
  readonly siteId: string
  readonly comment: string
  readonly full: boolean
  readonly principal: unknown
}

/** Errors: JobFailed naming page, template and line. The served publication stays the same then. */
async function runPublish(job: Job, context: JobContext): Promise<null> {
  const request = job.payload as unknown as PublishRequest
  try {
    await publish(job, context, request)
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
  const { scope, site } = await findSiteTarget(caller, ref, toPublish)
  const { repository, branch } = scope
  // Read before anything else, so that the next publication sees changes made while pages are
  // rendered.
  const since = await journalEnd(call, repository.id)
  const maps = mapsOf(scope, await readSite(call, branch, site))
  const { before, newest, replaced } = await earlierManifests(call, scope, siteId)
  const { slug, baseUrl: own } = maps[0].site
  const baseUrl = own === '' ? `${call.environment.baseUrl}/sites/${slug}` : own
  // Every page may contain the base URL, so a new one changes all pages.
  const isIncremental = before !== null && before.baseUrl === baseUrl && !full
  const changed = isIncremental ? await changedSince(call, repository.id, Number(before.since)) : 'all'
  const parts = { scope, maps, before, newest, changed, since: String(since), baseUrl }
  const made = await makePublication(context, parts)
  const stored = await writeManifest(call.environment.blobs, made.manifest)
  await caller.write(async (call) => {
    // The site may have been deleted or have another slug by now.
    const now = await findSiteTarget(call, ref, toPublish)
    await activateNew(call, { ...made, ...now, stored, comment, replaced })
    await endWithin(call, job)
  })
}

/**
 * The manifest of the active publication, and of the newest one if that is another. Errors:
 * BlobsUnavailable.
 */
async function earlierManifests(
  call: Call,
  { branch }: Scope,
  siteId: string,
): Promise<Pick<PublicationParts, 'before' | 'newest'> & Pick<NewPublication, 'replaced'>> {
  const { records, entities } = call.store
  const active = await records.get('publishedSite', siteId)
  const [newest] = await storedPublications(entities, branch, siteId)
  const isOther = newest !== undefined && newest.id !== active?.publicationId
  const before = active ? await readEarlierManifest(call, active.manifest) : null
  return {
    before,
    replaced: active && { publicationId: active.publicationId, manifest: before },
    newest: isOther ? await readEarlierManifest(call, newest.manifest) : null,
  }
}

/**
 * Reads an earlier manifest; null when it is lost or damaged. Errors: BlobsUnavailable, since a
 * retry may find it.
 */
async function readEarlierManifest(
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

type Publish = Contract['sites']['publish']

/**
 * Queues a publication, or returns the queued job of an identical request. Errors: `not_found`,
 * `forbidden`.
 */
export async function publishSite(
  call: WriteCall,
  { comment = '', full }: ParsedOf<Publish>,
  { scope, site }: SiteTarget,
): Promise<OutputOf<Publish>> {
  const payload = { siteId: site.id, comment, full, principal: storedPrincipal(call) }
  const waiting = await call.store.jobs.list({
    kind: publishKind,
    subject: site.id,
    state: 'queued',
    limit: 10,
  })
  // A running job is not joined, because it may have missed the latest changes.
  const same = waiting.find((one) => isSame(splitTrace(one).job.payload, payload))
  if (same) return serializeJob(same)
  const { id: repositoryId } = scope.repository
  const job = { kind: publishKind, repositoryId, subject: site.id, payload, maxAttempts: 3 }
  return serializeJob(await call.enqueue(newJob(call, job)))
}

// The most journal entries to read. Beyond that, rendering all pages costs less than finding the
// changed ones.
const mostEntries = 100_000
const entriesAtOnce = 1000

/** The current end of the journal, from which the next publication looks for changes. */
async function journalEnd({ store }: Call, repositoryId: string): Promise<number> {
  const [newest] = await store.journal.readBack({ limit: 1, repositoryId })
  return newest?.sequence ?? 0
}

/**
 * Ids of what changed on main after a position in the journal, plus `tree` when a section or page
 * changed. `all` when everything may have changed or there are too many entries.
 */
async function changedSince(
  { store }: Call,
  repositoryId: string,
  since: number,
): Promise<ReadonlySet<string> | 'all'> {
  const changed = new Set<string>()
  let after = since
  for (let read = 0; read < mostEntries; read += entriesAtOnce) {
    const rows = await store.journal.read({ after, limit: entriesAtOnce, repositoryId })
    for (const { packageId, event, entityId } of rows) {
      if (packageId !== null || ignoredEvents.has(event)) continue
      if (affectsAllPages(event)) return 'all'
      changed.add(entityId)
      if (/^(SITE|SECTION|PAGE)_/.test(event)) changed.add('tree')
    }
    if (rows.length < entriesAtOnce) return changed
    after = rows.at(-1)?.sequence ?? after
  }
  return 'all'
}

// These events name a site but do not change its content.
const ignoredEvents: ReadonlySet<string> = new Set(['SITE_PUBLISHED', 'SITE_ROLLED_BACK'])

/**
 * Whether an event is about something that any page may show: category names, renditions, the
 * repository's name.
 */
function affectsAllPages(event: string): boolean {
  return /^(CATEGORY|TAXONOMY|RENDITION_PRESET|REPOSITORY)_/.test(event)
}
