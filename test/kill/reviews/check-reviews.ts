import { DatabaseSync } from 'node:sqlite'
import type { Accepted } from '../../workflow/process.ts'
import { commonFaults, findFaults } from '../faults.ts'
import type { Ledger, Reviewed, ReportedEntry } from './ledger.ts'

/** What a service has stored about the review of a package. */
export interface ReviewRow {
  readonly packageName: string
  readonly state: string
  /** `<action> to <step>`, followed by the comment of a callback. Oldest first. */
  readonly history: readonly string[]
  /** The actions in the journal, oldest first. */
  readonly journalled: readonly string[]
  /** Journal entries that report its merge. */
  readonly merges: number
  readonly isPending: boolean
  readonly held: number
  /** Unfinished jobs of its workflow. */
  readonly unended: number
}

interface Row extends Omit<ReviewRow, 'history' | 'journalled' | 'isPending'> {
  readonly history: string
  readonly journalled: string
  readonly isPending: number
}

const reviews = `
  SELECT json_extract(package.data, '$.name') AS packageName, json_extract(package.data, '$.state') AS state,
    (SELECT json_group_array(json_extract(value, '$.action') || ' to ' || json_extract(value, '$.toStep')
        || iif(json_extract(value, '$.action') = 'status_update', ': ' || json_extract(value, '$.comment'), ''))
      FROM json_each(workflow.data, '$.info.history')) AS history,
    (SELECT json_group_array(action) FROM (SELECT json_extract(details, '$.action') AS action FROM journal
      WHERE entity_id = package.id AND event = 'PACKAGE_WORKFLOW' ORDER BY sequence)) AS journalled,
    (SELECT count(*) FROM journal WHERE entity_id = package.id AND event = 'PACKAGE_MERGED') AS merges,
    json_type(workflow.data, '$.pending') = 'object' AS isPending,
    json_array_length(workflow.data, '$.held') AS held,
    (SELECT count(*) FROM jobs WHERE kind LIKE 'workflow.%' AND state IN ('queued', 'running')
      AND json_extract(payload, '$.packageId') = package.id) AS unended
  FROM records AS package LEFT JOIN records AS workflow ON workflow.kind = 'workflow' AND workflow.id = package.id
  WHERE package.kind = 'package'`

/** Reads the reviews from a database with its own SQL. */
export function readReviews(file: string): { found: ReviewRow[]; faults: string[] } {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The rows have the columns of the statement.
    const rows = database.prepare(reviews).all() as unknown as Row[]
    const found = rows.map((row) => ({
      ...row,
      history: listOf(row.history),
      journalled: listOf(row.journalled),
      isPending: row.isPending === 1,
    }))
    return { found, faults: findFaults(database, commonFaults) }
  } finally {
    database.close()
  }
}

function listOf(text: string): string[] {
  return JSON.parse(text)
}

/** What the engine took and reported, and what the service has stored of it. */
export interface Compared {
  readonly ledger: Ledger
  readonly accepted: readonly Accepted[]
  readonly found: readonly ReviewRow[]
}

/**
 * The violations, one per line: a step that the engine took, but that is missing, duplicated or
 * misplaced in the history; a step that the engine took twice; an acknowledged callback that is
 * missing or duplicated; more or less than one merge; a package that makes no progress.
 */
export function findingsOf({ ledger, accepted, found }: Compared): string[] {
  return ledger.reviews.flatMap((reviewed) => {
    const { packageName } = reviewed
    const one = found.find((review) => review.packageName === packageName)
    if (!one) return [`${packageName}: lost: it is missing`]
    const steps = accepted.filter((step) => step.packageName === packageName)
    const reported = ledger.reported.filter((callback) => callback.packageName === packageName)
    const locations = [
      ...wrongSteps(reviewed, steps, one),
      ...wronglyReported(reported, one),
      ...standingStill(reviewed, one),
    ]
    return locations.map((location) => `${packageName}: ${location}`)
  })
}

function wrongSteps(
  { wanted }: Reviewed,
  steps: readonly Accepted[],
  { history, journalled }: ReviewRow,
): string[] {
  const actions = steps.map(({ action }) => action)
  const accepted = steps.map(({ action, state }) => `${action} to ${state.currentStep}`)
  const inHistory = history.filter((entry) => !isReported(entry))
  const done = inHistory.map((entry) => entry.split(' ')[0] ?? '')
  return [
    ...difference(wanted, actions, 'the list of requested steps that the engine took'),
    ...difference(accepted, inHistory, 'the history of the steps that the engine took'),
    ...difference(
      done,
      journalled.filter((action) => !isReported(action)),
      'the list of steps in the journal',
    ),
  ]
}

function wronglyReported(reported: readonly ReportedEntry[], { history }: ReviewRow): string[] {
  const inHistory = history.filter(isReported)
  const isOf = (entry: string, { comment }: ReportedEntry) => entry.endsWith(`: ${comment}`)
  const wrong = reported.flatMap((callback) => {
    const { comment, isAcknowledged } = callback
    const times = inHistory.filter((entry) => isOf(entry, callback)).length
    if (times > 1) return [`doubled: the callback "${comment}" is recorded ${times} times`]
    const isLost = isAcknowledged && times === 0
    return isLost
      ? [`lost: the callback "${comment}" was acknowledged, but is not in ${history.join(', ')}`]
      : []
  })
  const phantoms = inHistory.filter((entry) => !reported.some((callback) => isOf(entry, callback)))
  return [...wrong, ...phantoms.map((entry) => `phantom: nobody sent "${entry}"`)]
}

function isReported(entry: string): boolean {
  return entry.startsWith('status_update')
}

function standingStill(
  { stuck }: Reviewed,
  { state, merges, isPending, held, unended }: ReviewRow,
): string[] {
  const locations = [
    stuck !== null && `stuck: ${stuck}`,
    merges !== 1 && `merges: ${merges}`,
    state !== 'merged' && `stuck: it is ${state}`,
    (isPending || held > 0 || unended > 0) && `stuck: pending ${isPending}, held ${held}, jobs ${unended}`,
  ]
  return locations.filter((location) => location !== false)
}

/** Names the kind of difference between two lists. */
function difference(wanted: readonly string[], had: readonly string[], what: string): string[] {
  if (wanted.join() === had.join()) return []
  const harm = had.length > wanted.length ? 'doubled' : had.length < wanted.length ? 'lost' : 'disordered'
  return [`${harm}: ${what} is ${had.join(', ')}, not ${wanted.join(', ')}`]
}
