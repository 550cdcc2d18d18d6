/** A statement that may do what others may not, and why. */
interface Exception {
  readonly text: RegExp
  readonly why: string
}

/** Every statement with a fixed text whose plan is not bounded by an index from an equal column on. */
export const exceptions: readonly Exception[] = [
  {
    text: /^SELECT (?:coalesce\(max\(.*FROM (?:"search_rows"|\(SELECT id AS row FROM search_docsize\) i)$|"search_rows"\."row" FROM .* DESC LIMIT 1$)/,
    why: 'One row, the last.',
  },
  {
    text: /^UPDATE "search_rows" SET "row" = \(SELECT max\("search_rows"\."row"\) \+ 1 FROM "search_rows"\) WHERE "search_rows"\."row" = /,
    why: 'One row, after the last.',
  },
  {
    text: /^SELECT DISTINCT "version_blobs"\."hash" FROM "version_blobs" WHERE .* ORDER BY "version_blobs"\."hash" LIMIT/,
    why: 'Blobs that versions need, from one on, as far as the limit.',
  },
  {
    text: /^(?:SELECT|DELETE) .*FROM "texts" WHERE "texts"\."hash" > /,
    why: 'Texts from one on, as far as the limit, or to the end of that part.',
  },
  {
    text: /^SELECT .* FROM "heads" CROSS JOIN "branches" ON .* WHERE "heads"\."deleted_date" IS NOT NULL AND "heads"\."deleted_date" < .* ORDER BY "heads"\."deleted_date", .* LIMIT/,
    why: 'What was deleted, from one on, as far as the limit.',
  },
  {
    text: /^SELECT .* AS target, .* FROM "heads" CROSS JOIN "edges" .* ORDER BY source, target, path, kind LIMIT/,
    why: 'The edges of a thousand entities, which are as many as these refer to.',
  },
  {
    text: /^DELETE FROM "ephemera" .* ORDER BY "ephemera"\."expires" LIMIT/,
    why: 'What expired first, as far as the limit.',
  },
  {
    text: /^DELETE FROM "usage_deltas" WHERE .* ORDER BY "usage_deltas"\."row" LIMIT/,
    why: 'The oldest changes of what is kept, as far as the limit.',
  },
  {
    text: /^SELECT .* FROM \(SELECT .* FROM "journal" WHERE .* AND "journal"\."sequence" > .*\) c GROUP BY /,
    why: 'The entries of a repository that are looked at for a count, grouped, on the connection of long reads.',
  },
  {
    text: /^WITH RECURSIVE firsts \(subject, /,
    why: 'One job of each subject, sorted by when it was due; then of each subject that has a place as many as it may have.',
  },
  {
    text: /^WITH RECURSIVE firsts \(kind, /,
    why: 'One job of each subject, grouped by kind.',
  },
  {
    text: /^WITH RECURSIVE kinds /,
    why: 'The first kind; one id of each kind, state and repository, sorted; then of each that is opened as many as the limit. What is queued, from its own index.',
  },
  {
    text: /^SELECT .* FROM "jobs" WHERE "jobs"\."id" < \+\? ORDER BY "jobs"\."id" DESC LIMIT/,
    why: 'The newest jobs, as far as the limit.',
  },
  {
    text: /^SELECT .* FROM "jobs" WHERE "jobs"\."state" = 'running' ORDER BY "jobs"\."id" LIMIT/,
    why: 'What runs, which is as much as workers do at a time.',
  },
  {
    text: /^SELECT kind, state, repository, jobs, oldest FROM /,
    why: 'Every job, from the two indexes that have them all, on the connection of long reads; counted when an administrator asks for figures.',
  },
  {
    text: /FROM \(SELECT term AS word, doc AS rows FROM json_each\(\+\?\) j CROSS JOIN search_vocabulary/,
    why: 'The words of a repository, counted when an administrator asks for figures.',
  },
  {
    text: /^SELECT coalesce\(sum\(length\(block\)\), 0\), count\(\*\) FROM search_data$/,
    why: 'The blocks of the index, some thousand, counted when an administrator asks for figures.',
  },
  {
    text: /^SELECT 1 FROM "heads" WHERE "heads"\."roles" <> '' AND "heads"\."roles" LIKE /,
    why: 'The few heads with role lists, from an index that holds nothing else; asked when a role is deleted.',
  },
]
