import { QuireError, type Contract, type OutputOf, type ParsedOf, type Repository } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import {
  endWithin,
  JobFailed,
  newJob,
  serializeJob,
  type JobContext,
  type JobHandler,
} from '../../engine/job.ts'
import { isSame } from '../../engine/same.ts'
import { callAs, principalOf, storedPrincipal } from '../../engine/system-call.ts'
import type { Job, Json } from '../../ports/index.ts'
import { plannedLocales } from '../locales/migrate.ts'
import { changeableRepository, repositoryOfJob } from './record.ts'

type Group = Contract['repositories']
type Locales = ParsedOf<Group['setLocales']>['locales']

const changeKind = 'repository.locales'

/**
 * Queues a change of the locales; a dry run only counts the items that it converts. Errors: `not_found`,
 * `forbidden`, `precondition_failed`; `invalid_state` while another such change is queued or running;
 * of a dry run, if packages that contain such items are open while locales are switched on or off.
 */
export async function setLocales(
  call: Call,
  { id, locales, dryRun = false }: ParsedOf<Group['setLocales']>,
): Promise<OutputOf<Group['setLocales']>> {
  if (dryRun) {
    const before = await changeableRepository(call, id)
    const after = withLocales(before, locales)
    const { convert, lose, unpublish } = await plannedLocales(call, { before, after })
    return { convert, lose, unpublish, job: null }
  }
  const job = await call.write(async (call) =>
    queueChange(call, await changeableRepository(call, id), locales),
  )
  return { convert: null, lose: null, unpublish: null, job: job && serializeJob(job) }
}

/** The job that makes a change; null if there is nothing to change. */
async function queueChange(call: WriteCall, repository: Repository, locales: Locales): Promise<Job | null> {
  const [from, to] = [localesOf(repository), locales as Json]
  if (isSame(from, to)) return null
  const { id: repositoryId } = repository
  const payload = { from, to, principal: storedPrincipal(call) }
  const key = `${changeKind}:${repositoryId}`
  const job = await call.enqueue(
    newJob(call, { kind: changeKind, repositoryId, key, payload, maxAttempts: 3 }),
  )
  if (isSame([job.payload['from'] ?? null, job.payload['to'] ?? null], [from, to])) return job
  throw new QuireError(
    'invalid_state',
    `The locales of the repository are being changed already: wait until the job ${job.id} has ended.`,
  )
}

function withLocales(repository: Repository, locales: Locales): Repository {
  const { locales: _, ...settings } = repository.settings
  return { ...repository, settings: { ...settings, ...(locales && { locales }) } }
}

/** The locales of a repository as JSON; null if it has none. */
function localesOf({ settings: { locales } }: Repository): Json {
  return locales ?? null
}

/** The jobs that change the locales of a repository. */
export const localeChanges: ReadonlyMap<string, JobHandler> = new Map([
  [changeKind, { slots: 1, each: 1, adds: true, run: runChange }],
])

/** Errors: JobFailed, final, if the locales were changed since the job was queued. */
async function runChange(job: Job, { call, signal, progress }: JobContext): Promise<null> {
  const { from = null, to: locales, principal } = job.payload
  const caller = await callAs(call, principalOf(principal))
  const before = await repositoryToChange(caller, job, from)
  // What `setLocales` has stored. Reading first holds up no other write, and tells how much there is to do.
  const after = withLocales(before, locales as Locales)
  await plannedLocales({ ...caller, signal }, { before, after }, (done, total) =>
    progress({ done, total, message: 'items' }),
  )
  // With the rights that the caller has now.
  const current = await caller.renewed()
  await { ...current, signal }.write(async (call) => {
    await repositoryToChange(call, job, from)
    await call.invoke('repositories.update', { id: job.repositoryId, settings: { locales }, migrate: true })
    await endWithin(call, job)
  })
  return null
}

/** Errors: `forbidden`; JobFailed if the repository is gone, or its locales are not those of `from`. */
async function repositoryToChange(call: Call, job: Job, from: Json): Promise<Repository> {
  const { id } = await repositoryOfJob(call, job)
  const repository = await changeableRepository(call, id)
  if (isSame(localesOf(repository), from)) return repository
  throw new JobFailed(
    'The locales of the repository have been changed since this job was queued: plan the change again.',
    { isFinal: true },
  )
}
