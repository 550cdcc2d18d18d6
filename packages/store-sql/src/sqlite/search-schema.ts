/**
 * Full-text search: documents as they are, and beside them an index of their words in one column. A document's row in the index is in a
 * narrow table of its own: a search looks up thousands of them, and documents are long. Words carry branch, kind and where they occur in
 * front (`search/tokens.ts`), so that no list of the rows of a scope is walked beside those of a word. There is no prefix index: with one,
 * rows are written at a third of the speed and take three times the room, and without one a prefix of four letters costs 40 ns a match.
 *
 * SQLite does not merge the index by itself; the store does, a bounded part with each commit (`search-maintenance.ts` in
 * @quire/store-sqlite). FTS5 merges in proportion to what it writes at once, and the deleted rows of a segment in one go: within a
 * merge of 5 000 items one statement took 1.6 s of 100 000 (docs/decisions/0012).
 *
 * `crisismerge`: segments of a level from which on FTS5 merges that level whole after all. A package of 5 000 leaves two large
 * segments: with FTS5's own 16 the eighth of such merges in a row comes there; at 128 a search may look into twice as many segments.
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
