import { DatabaseSync } from 'node:sqlite'
import type { Accepted } from '../../workflow/process.ts'
import { commonFaults, findFaults } from '../faults.ts'
import type { Ledger, Reviewed, ReportedEntry } from './ledger.ts'

/** What a service knows of the review of a package. */
export interface ReviewRow {
  readonly packageName: string
  readonly state: string
  /** `<action> to <step>`, with the comment of a callback behind it; the oldest first. */
  readonly history: readonly string[]
  /** The actions of the journal, the oldest first. */
  readonly journalled: readonly string[]
  /** Entries of the journal that it was merged. */
  readonly merges: number
  readonly isPending: boolean
  readonly held: number
  /** Jobs of its workflow that have not ended. */
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

/** Reads the reviews in a database with SQL of its own. */
export function readReviews(file: string): { found: ReviewRow[]; faults: string[] } {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The file holds what the statement selects.
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

/** What the engine took and what was told, and what the service has of it. */
export interface Compared {
  readonly ledger: Ledger
  readonly accepted: readonly Accepted[]
  readonly found: readonly ReviewRow[]
}

/**
 * What must not be, a line each: a step that the engine took and the history does not have, or has twice or elsewhere; a step that the engine
 * took twice; a callback that was acknowledged and is not there, or is there twice; more or less than one merge; a package that stands still.
 */
export function findingsOf({ ledger, accepted, found }: Compared): string[] {
  return ledger.reviews.flatMap((reviewed) => {
    const { packageName } = reviewed
    const one = found.find((review) => review.packageName === packageName)
    if (!one) return [`${packageName}: lost: it is not there`]
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
    ...difference(wanted, actions, 'what the engine took of what was wanted'),
    ...difference(accepted, inHistory, 'the history of what the engine took'),
    ...difference(
      done,
      journalled.filter((action) => !isReported(action)),
      'the journal of the history',
    ),
  ]
}

function wronglyReported(reported: readonly ReportedEntry[], { history }: ReviewRow): string[] {
  const inHistory = history.filter(isReported)
  const isOf = (entry: string, { comment }: ReportedEntry) => entry.endsWith(`: ${comment}`)
  const wrong = reported.flatMap((callback) => {
    const { comment, isAcknowledged } = callback
    const times = inHistory.filter((entry) => isOf(entry, callback)).length
    if (times > 1) return [`doubled: the callback "${comment}" is there ${times} times`]
    const isLost = isAcknowledged && times === 0
    return isLost
      ? [`lost: the callback "${comment}" was acknowledged, and is not in ${history.join(', ')}`]
      : []
  })
  const phantoms = inHistory.filter((entry) => !reported.some((callback) => isOf(entry, callback)))
  return [...wrong, ...phantoms.map((entry) => `phantom: nobody told "${entry}"`)]
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

/** Where a list is not what it should be: how what is missing and what is too much is called. */
function difference(wanted: readonly string[], had: readonly string[], what: string): string[] {
  if (wanted.join() === had.join()) return []
  const harm = had.length > wanted.length ? 'doubled' : had.length < wanted.length ? 'lost' : 'disordered'
  return [`${harm}: ${what} is ${had.join(', ')}, not ${wanted.join(', ')}`]
}
