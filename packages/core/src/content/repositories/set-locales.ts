import { QuireError, type Contract, type OutputOf, type ParsedOf, type Repository } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
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
 * Counts the items that other locales convert, and queues the change unless it is a dry run. Errors:
 * `not_found`, `forbidden`, `precondition_failed`; `invalid_state` while another such change is queued or
 * running, and if packages that contain such items are open while locales are switched on or off.
 */
export async function setLocales(
  call: Call,
  { id, locales, dryRun = false }: ParsedOf<Group['setLocales']>,
): Promise<OutputOf<Group['setLocales']>> {
  const before = await changeableRepository(call, id)
  const { convert, lose } = await plannedLocales(call, { before, after: withLocales(before, locales) })
  if (dryRun) return { convert, lose, job: null }
  const payload = { from: localesOf(before), to: locales as Json, principal: storedPrincipal(call) }
  const key = `${changeKind}:${before.id}`
  const request = { kind: changeKind, repositoryId: before.id, key, payload, maxAttempts: 3 }
  return call.write(async (call) => {
    const job = await call.enqueue(newJob(call, request))
    if (isSame(job.payload['to'] ?? null, payload.to)) return { convert, lose, job: serializeJob(job) }
    throw new QuireError(
      'invalid_state',
      `The locales of the repository are being changed otherwise: wait until the job ${job.id} has ended.`,
    )
  })
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
  const caller = { ...(await callAs(call, principalOf(principal))), signal }
  const before = await repositoryOfJob(caller, job)
  // What `setLocales` has stored. Reading first holds up no other write, and tells how much there is to do.
  const after = withLocales(before, locales as Locales)
  await plannedLocales(caller, { before, after }, (done, total) =>
    progress({ done, total, message: 'items' }),
  )
  await caller.write(async (call) => {
    if (!isSame(localesOf(await repositoryOfJob(call, job)), from))
      throw new JobFailed(
        'The locales of the repository have been changed since this job was queued: plan the change again.',
        { isFinal: true },
      )
    await call.invoke('repositories.update', { id: job.repositoryId, settings: { locales }, migrate: true })
    await endWithin(call, job)
  })
  return null
}
