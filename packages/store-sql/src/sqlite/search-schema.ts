/**
 * Full-text search: the documents themselves, and an index of their words in one column. The
 * mapping from documents to index rows is a narrow table of its own, because a search looks up
 * thousands of rows and documents are long. Branch, kind and location are prefixed to each word
 * (`search/tokens.ts`), so that a search need not intersect the rows of a word with those of a
 * scope. There is no prefix index. With one, rows are written at a third of the speed and take
 * three times the space; without one, a prefix of four letters costs 40 ns a match.
 *
 * SQLite does not merge the index by itself. The store does, a bounded part with each commit
 * (`search-maintenance.ts` in @quire/store-sqlite). FTS5 merges in proportion to what it writes at
 * once, and purges the deleted rows of a segment in one go: within a merge of 5 000 items of 100
 * 000, one statement took 1.6 s (docs/decisions/0012).
 *
 * `crisismerge`: from this number of segments in a level on, FTS5 merges the whole level after all.
 * A package of 5 000 items leaves two large segments. With FTS5's default of 16, the eighth such
 * merge in a row reaches it; with 128, a search may have to look into twice as many segments.
 */
export const searchSchema = `CREATE TABLE texts (
  hash TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE search_rows (
  row INTEGER PRIMARY KEY,
  head INTEGER NOT NULL,
  branch INTEGER NOT NULL
) STRICT;
CREATE INDEX search_rows_branch ON search_rows (branch, row);

CREATE TABLE search_documents (
  head INTEGER PRIMARY KEY,
  row INTEGER NOT NULL,
  branch INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  passages TEXT NOT NULL,
  categories TEXT NOT NULL,
  file TEXT,
  with_text INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE search USING fts5 (
  words, content = '', contentless_delete = 1, detail = full, tokenize = 'ascii'
);
INSERT INTO search (search, rank) VALUES ('automerge', 0);
INSERT INTO search (search, rank) VALUES ('deletemerge', 0);
INSERT INTO search (search, rank) VALUES ('crisismerge', 64);
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search, row);
`
