/** A statement whose plan may have findings, and why. */
interface Exception {
  readonly text: RegExp
  readonly why: string
}

/**
 * All fixed statements whose plan is not bounded by an equality on the first column of an index.
 */
export const exceptions: readonly Exception[] = [
  {
    text: /^SELECT (?:coalesce\(max\(.*FROM (?:"search_rows"|\(SELECT id AS row FROM search_docsize\) i)$|"search_rows"\."row" FROM .* DESC LIMIT 1$)/,
    why: 'Reads one row, the last.',
  },
  {
    text: /^SELECT (?:CASE WHEN "heads"\."head" IS NULL THEN )?\(SELECT coalesce\(max\("(?:head|row)"\), 0\) \+ 1 FROM "(?:heads|search_rows)"\)/,
    why: 'Reads the last row, for the number of the next.',
  },
  {
    text: /^SELECT DISTINCT "version_blobs"\."hash" FROM "version_blobs" WHERE .* ORDER BY "version_blobs"\."hash" LIMIT/,
    why: 'Blobs that versions need, from a given one up to the limit.',
  },
  {
    text: /^(?:SELECT|DELETE) .*FROM "texts" WHERE "texts"\."hash" > /,
    why: 'Texts from a given one up to the limit, or to the end of the part.',
  },
  {
    text: /^SELECT .* FROM "heads" CROSS JOIN "branches" ON .* WHERE "heads"\."deleted_date" IS NOT NULL AND "heads"\."deleted_date" < .* ORDER BY "heads"\."deleted_date", .* LIMIT/,
    why: 'Deleted heads from a given one up to the limit.',
  },
  {
    text: /^SELECT .* AS target, .* FROM "heads" CROSS JOIN "edges" .* ORDER BY source, target, path, kind LIMIT/,
    why: 'The edges of a thousand entities: as many as these have references.',
  },
  {
    text: /^DELETE FROM "ephemera" .* ORDER BY "ephemera"\."expires" LIMIT/,
    why: 'Expired values, oldest first, up to the limit.',
  },
  {
    text: /^DELETE FROM "usage_deltas" WHERE .* ORDER BY "usage_deltas"\."row" LIMIT/,
    why: 'The oldest changes to the usage, up to the limit.',
  },
  {
    text: /^SELECT .* FROM \(SELECT .* FROM "journal" WHERE .* AND "journal"\."sequence" > .*\) c GROUP BY /,
    why: 'The journal entries of a repository that a count reads, grouped, on the connection for slow reads.',
  },
  {
    text: /^WITH RECURSIVE firsts \(subject, /,
    why: 'One job of each subject, sorted by due time; then, of each chosen subject, as many jobs as it may have.',
  },
  {
    text: /^WITH RECURSIVE firsts \(kind, /,
    why: 'One job of each subject, grouped by kind.',
  },
  {
    text: /^WITH RECURSIVE kinds /,
    why: 'The first kind; one id of each kind, state and repository, sorted; then, of each chosen group, up to the limit. Queued jobs come from their own index.',
  },
  {
    text: /^SELECT .* FROM "jobs" WHERE "jobs"\."id" < \+\? ORDER BY "jobs"\."id" DESC LIMIT/,
    why: 'The newest jobs, up to the limit.',
  },
  {
    text: /^SELECT .* FROM "jobs" WHERE "jobs"\."state" = 'running' ORDER BY "jobs"\."id" LIMIT/,
    why: 'The running jobs: as many as workers run at a time.',
  },
  {
    text: /^SELECT kind, state, repository, jobs, oldest FROM /,
    why: 'All jobs, from the two indexes that together have them all, on the connection for slow reads; counted when an administrator opens the statistics.',
  },
  {
    text: /FROM \(SELECT term AS word, doc AS rows FROM json_each\(\+\?\) j CROSS JOIN search_vocabulary/,
    why: 'The words of a repository, counted when an administrator opens the statistics.',
  },
  {
    text: /^SELECT coalesce\(sum\(length\(block\)\), 0\), count\(\*\) FROM search_data$/,
    why: 'The blocks of the index, some thousand, counted when an administrator opens the statistics.',
  },
  {
    text: /^SELECT 1 FROM "heads" WHERE "heads"\."roles" <> '' AND "heads"\."roles" LIKE /,
    why: 'The few heads with role lists, from an index that has nothing else; read when a role is deleted.',
  },
]
