import { DatabaseSync } from 'node:sqlite'
import { commonFaults, findFaults } from '../faults.ts'

/** What the jobs of a run came to. */
export interface JobFigures {
  readonly ended: number
  readonly succeeded: number
  /** Failed and say why: most were begun as often as they may be, and killed each time. */
  readonly failed: number
  /** Begun more than once. */
  readonly repeated: number
  /** Entities that were purged. */
  readonly purged: number
  /** What must not be, a line each. */
  readonly findings: readonly string[]
}

interface FoundJob {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly attempts: number
  readonly error: string | null
  readonly about: string | null
  readonly finished: number | null
  readonly due: number
}

const jobs = `
  SELECT id, kind, state, attempts, error, coalesce(payload ->> '$.id', payload ->> '$.input.packageName') AS about,
    finished_at AS finished, run_at AS due FROM jobs ORDER BY id`

const published = `SELECT entity_id AS about, count(*) AS times FROM journal WHERE event = 'ITEM_PUBLISHED' GROUP BY 1`
const merged = `SELECT details ->> '$.name' AS about, count(*) AS times FROM journal WHERE event = 'PACKAGE_MERGED' GROUP BY 1`

/** Rows that must not be there once everything has ended. */
const faults: Readonly<Record<string, string>> = {
  ...commonFaults,
  'a blob that a version needs is not noted': `
    SELECT v.id AS fault FROM versions v, json_each(v.blobs) j WHERE v.blobs IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM version_blobs b WHERE b.hash = j.value ->> 0 AND b.version = v.row)`,
  'a blob is noted of a version that is gone': `
    SELECT hash AS fault FROM version_blobs WHERE version NOT IN (SELECT row FROM versions)`,
  'a file has no text': `
    SELECT DISTINCT hash AS fault FROM version_blobs WHERE hash NOT IN (SELECT hash FROM texts)`,
  'the text of a file is not in the index': `
    SELECT file AS fault FROM search_documents WHERE file IS NOT NULL AND with_text = 0`,
  'two jobs of a key have not ended': `
    SELECT key AS fault FROM jobs WHERE key IS NOT NULL AND finished_at IS NULL GROUP BY key HAVING count(*) > 1`,
  'a rebuild never ended': `
    SELECT id AS fault FROM records WHERE kind = 'indexRebuild' AND data ->> '$.state' = 'running'`,
}

/** Compares jobs with what they have done (TRUST F05, I6): each has one end, and its effect at most once. `now`: Unix ms, as the service had it. */
export function checkJobs(file: string, { now, deleted }: { now: number; deleted: number }): JobFigures {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The file holds what the statements select.
    const found = database.prepare(jobs).all() as unknown as FoundJob[]
    const ofState = (state: string) => found.filter((job) => job.state === state)
    const left = Number(
      database.prepare("SELECT count(*) AS n FROM heads WHERE name LIKE 'Deleted%'").get()?.['n'],
    )
    return {
      ended: found.filter(({ finished }) => finished !== null).length,
      succeeded: ofState('succeeded').length,
      failed: ofState('failed').length,
      repeated: found.filter(({ attempts }) => attempts > 1).length,
      purged: deleted - left,
      findings: [
        ...found
          .filter((job) => isStuck(job, now))
          .map(({ id, kind, state }) => `${kind} ${id} is ${state} for ever`),
        ...found.filter(isSilent).map(({ id, kind }) => `${kind} ${id} failed and says nothing`),
        ...wrongEffects(found, 'item.publish', timesOf(database, published)),
        ...wrongEffects(found, 'package.merge', timesOf(database, merged)),
        ...findFaults(database, faults),
      ],
    }
  } finally {
    database.close()
  }
}

function isStuck({ finished, state, due }: FoundJob, now: number): boolean {
  return finished === null && (state !== 'queued' || due <= now)
}

function isSilent({ state, error }: FoundJob): boolean {
  return state === 'failed' && (error ?? '') === ''
}

function timesOf(database: DatabaseSync, query: string): ReadonlyMap<string, number> {
  const rows = database.prepare(query).all()
  return new Map(rows.map(({ about, times }) => [String(about), Number(times)]))
}

/** What succeeded has happened, and what failed has not: the end of a job and its effect are one. Nothing happened twice. */
function wrongEffects(
  found: readonly FoundJob[],
  kind: string,
  times: ReadonlyMap<string, number>,
): readonly string[] {
  const ofKind = found.filter((job) => job.kind === kind)
  const undone = ofKind.filter(({ state, about }) => state === 'succeeded' && !times.has(about ?? ''))
  const done = ofKind.filter(({ state, about }) => state === 'failed' && times.has(about ?? ''))
  const twice = [...times].filter(([, count]) => count > 1)
  return [
    ...undone.map(({ id }) => `${kind} ${id} succeeded without effect`),
    ...done.map(({ id, error }) => `${kind} ${id} took effect and failed: ${error}`),
    ...twice.map(([about, count]) => `${kind} of ${about} took effect ${count} times`),
  ]
}
