/** A statement whose plan may have findings, and why. */
interface Exception {
  readonly text: RegExp
  readonly why: string
}

/** All fixed statements whose plan is not bounded by the first column of an index. */
export const exceptions: readonly Exception[] = [
  {
    text: /^SELECT .* FROM "jobs" WHERE "jobs"\."state" = 'running' ORDER BY "jobs"\."id" LIMIT/,
    why: 'The running jobs, as many as workers run at a time, from an index that has nothing else.',
  },
  {
    text: /^DELETE FROM "usage_deltas" WHERE .* ORDER BY "usage_deltas"\."row" LIMIT/,
    why: 'The oldest changes to the usage, up to the limit.',
  },
  {
    text: /^SELECT kind, state, repository, jobs, oldest FROM /,
    why: 'All jobs, from the two indexes that together have them all, on the connections for slow reads; counted when an administrator opens the statistics.',
  },
  {
    text: /^SELECT 1 FROM "heads" WHERE "heads"\."roles" <> '' AND "heads"\."roles" LIKE /,
    why: 'The few heads with role lists, from an index that has nothing else; read when a role is deleted.',
  },
  {
    text: /^INSERT INTO "journal" .* ORDER BY "journal"\."sequence" DESC LIMIT 1/,
    why: 'The newest entry, whose date the next one must not be before.',
  },
]
