import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { callAs, principalOf, storedPrincipal } from '../../engine/system-call.ts'
import {
  endWithin,
  newJob,
  serializeJob,
  JobFailed,
  type JobContext,
  type JobHandler,
} from '../../engine/job.ts'
import type { Scope } from '../../engine/scope.ts'
import { openSite } from './find.ts'
import { activateNew, storedPublications } from './publications.ts'
import { type Manifest } from './publication/manifest.ts'
import { readManifest, writeManifest } from './publication/store-manifest.ts'
import { readSiteMap } from './site-map.ts'
import { makePublication } from './make-publication.ts'
import { TemplateFault } from './render/template-fault.ts'
import { isSame } from '../../engine/same.ts'
import { BlobCorrupt, type Job, type StoredBlob } from '../../ports/index.ts'
import { type Publishing } from './publishing-parts.ts'

/** The kind of the jobs that publish sites. */
const publishKind = 'site.publish'

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

type Publish = Contract['sites']['publish']

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

// Entries of the journal that are looked at; past them all pages are rendered anew, which then costs less than to tell which.
const mostEntries = 100_000
const entriesAtOnce = 1000

/** The place in the journal after which a publication looks for what changed. */
async function journalEnd({ store }: Call, repositoryId: string): Promise<number> {
  const [newest] = await store.journal.readBack({ limit: 1, repositoryId })
  return newest?.sequence ?? 0
}

/** Ids of what changed on main after a place in the journal, and `tree` when a section or page did; `all`: more than can be told. */
async function changedSince(
  { store }: Call,
  repositoryId: string,
  since: number,
): Promise<ReadonlySet<string> | 'all'> {
  const changed = new Set<string>()
  let after = since
  for (let looked = 0; looked < mostEntries; looked += entriesAtOnce) {
    const rows = await store.journal.read({ after, limit: entriesAtOnce, repositoryId })
    for (const { packageId, event, entityId } of rows) {
      if (packageId !== null || serves.has(event)) continue
      if (changesAll(event)) return 'all'
      changed.add(entityId)
      if (/^(SITE|SECTION|PAGE)_/.test(event)) changed.add('tree')
    }
    if (rows.length < entriesAtOnce) return changed
    after = rows.at(-1)?.sequence ?? after
  }
  return 'all'
}

// What a site says is as it was after these, though they name it.
const serves: ReadonlySet<string> = new Set(['SITE_PUBLISHED', 'SITE_ROLLED_BACK'])

/** What every page may show: the names of categories, how pictures are made, what the repository is called. */
function changesAll(event: string): boolean {
  return /^(CATEGORY|TAXONOMY|RENDITION_PRESET|REPOSITORY)_/.test(event)
}
