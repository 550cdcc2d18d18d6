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
    text: /^SELECT kind, state, repository, jobs, oldest FROM /,
    why: 'Every job, from the two indexes that have them all, on the connections of long reads; counted when an administrator asks for figures.',
  },
]
