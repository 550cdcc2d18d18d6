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
    text: /FROM "versions", json_each\("versions"\."blobs"\)/,
    why: 'The index holds versions of assets alone; asked for by the upkeep of blobs.',
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
    text: /FROM \(SELECT term AS word, doc AS rows FROM json_each\(\+\?\) j CROSS JOIN search_vocabulary/,
    why: 'The words of a repository, counted when an administrator asks for figures.',
  },
  {
    text: /^SELECT coalesce\(sum\(length\(block\)\), 0\), count\(\*\) FROM search_data$/,
    why: 'The blocks of the index, some thousand, counted when an administrator asks for figures.',
  },
]
