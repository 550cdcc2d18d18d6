import { askFaults, readRows, textOf, type Ask, type Row, type RowKey } from '../read-rows.ts'
import { jobFaults } from './job-faults.ts'

/** Totals of the jobs of a run. */
export interface JobFigures {
  readonly ended: number
  readonly succeeded: number
  /** Failed with an error. Most were killed in every attempt. */
  readonly failed: number
  /** Started more than once. */
  readonly repeated: number
  /** Number of purged entities. */
  readonly purged: number
  /** Violations, one per line. */
  readonly findings: readonly string[]
}

interface JobRow {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly attempts: number
  readonly error: string
  /** The item or package of the job; empty if none. */
  readonly about: string
  readonly isFinished: boolean
  readonly due: number
}

const jobs = `SELECT id, kind, state, attempts, error, payload, finished_at, run_at FROM jobs ORDER BY id`
const published = `SELECT entity_id FROM journal WHERE event = 'ITEM_PUBLISHED'`
const merged = `SELECT details FROM journal WHERE event = 'PACKAGE_MERGED'`
const left = `SELECT count(*) AS n FROM heads WHERE name LIKE 'Deleted%'`

/**
 * Compares jobs with their effects (TRUST F05, I6): each has ended in one state, and took effect at
 * most once. `now`: Unix ms on the clock of the service.
 */
export function checkJobs(
  location: RowKey,
  { now, deleted }: { now: number; deleted: number },
): Promise<JobFigures> {
  return readRows(location, async (ask) => {
    const found = (await ask(jobs)).map(jobOf)
    const ofState = (state: string) => found.filter((job) => job.state === state)
    const [{ n } = { n: 0 }] = await ask(left)
    return {
      ended: found.filter(({ isFinished }) => isFinished).length,
      succeeded: ofState('succeeded').length,
      failed: ofState('failed').length,
      repeated: found.filter(({ attempts }) => attempts > 1).length,
      purged: deleted - Number(n),
      findings: [
        ...found
          .filter((job) => isStuck(job, now))
          .map(({ id, kind, state }) => `${kind} ${id} never left the state ${state}`),
        ...found.filter(isSilent).map(({ id, kind }) => `${kind} ${id} failed without an error message`),
        ...wrongEffects(found, 'item.publish', await timesOf(ask, published)),
        ...wrongEffects(found, 'package.merge', await timesOf(ask, merged)),
        ...(await askFaults(ask, jobFaults(location))),
      ],
    }
  })
}

function jobOf(row: Row): JobRow {
  const payload: { id?: string; input?: { packageName?: string } } = JSON.parse(textOf(row['payload']))
  return {
    id: textOf(row['id']),
    kind: textOf(row['kind']),
    state: textOf(row['state']),
    attempts: Number(row['attempts']),
    error: textOf(row['error']),
    about: payload.id ?? payload.input?.packageName ?? '',
    isFinished: row['finished_at'] !== null,
    due: Number(row['run_at']),
  }
}

function isStuck({ isFinished, state, due }: JobRow, now: number): boolean {
  return !isFinished && (state !== 'queued' || due <= now)
}

function isSilent({ state, error }: JobRow): boolean {
  return state === 'failed' && error === ''
}

/** How often each item, or each package, occurs in the journal entries. */
async function timesOf(ask: Ask, query: string): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const { entity_id: id, details } of await ask(query)) {
    const about = textOf(id) || nameIn(textOf(details))
    times.set(about, (times.get(about) ?? 0) + 1)
  }
  return times
}

function nameIn(details: string): string {
  const { name }: { name: string } = JSON.parse(details)
  return name
}

/**
 * A job that succeeded took effect, and a job that failed did not, because the end of a job and its
 * effect are atomic. No effect happened twice.
 */
function wrongEffects(
  found: readonly JobRow[],
  kind: string,
  times: ReadonlyMap<string, number>,
): readonly string[] {
  const ofKind = found.filter((job) => job.kind === kind)
  const undone = ofKind.filter(({ state, about }) => state === 'succeeded' && !times.has(about))
  const done = ofKind.filter(({ state, about }) => state === 'failed' && times.has(about))
  const twice = [...times].filter(([, count]) => count > 1)
  return [
    ...undone.map(({ id }) => `${kind} ${id} succeeded without effect`),
    ...done.map(({ id, error }) => `${kind} ${id} took effect, but failed: ${error}`),
    ...twice.map(([about, count]) => `${kind} of ${about} took effect ${count} times`),
  ]
}
