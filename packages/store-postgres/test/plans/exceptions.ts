/** A statement that may do what others may not, and why. */
interface Exception {
  readonly text: RegExp
  readonly why: string
}

/** Every statement with a fixed text whose plan is not bounded by an index from its first column on. */
export const exceptions: readonly Exception[] = [
  {
    text: /^SELECT .* FROM "jobs" WHERE "jobs"\."state" = 'running' ORDER BY "jobs"\."id" LIMIT/,
    why: 'What runs, which is as much as workers do at a time: an index that holds nothing else.',
  },
  {
    text: /^DELETE FROM "usage_deltas" WHERE .* ORDER BY "usage_deltas"\."row" LIMIT/,
    why: 'The oldest changes of what is kept, as far as the limit.',
  },
  {
    text: /^SELECT kind, state, repository, jobs, oldest FROM /,
    why: 'Every job, from the two indexes that have them all, on the connections of long reads; counted when an administrator asks for figures.',
  },
  {
    text: /^SELECT 1 FROM "heads" WHERE "heads"\."roles" <> '' AND "heads"\."roles" LIKE /,
    why: 'The few heads with role lists, from an index that holds nothing else; asked when a role is deleted.',
  },
]
