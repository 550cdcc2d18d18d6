/**
 * Schema 5: full-text search keeps what it finds heads by, as it is, beside an index of one column. A document's row in it is in a narrow
 * table of its own: a search looks up thousands of them, and documents are long. Words carry
 * line, kind and where they stand in front (`search/tokens.ts`), so that no list of the rows of a scope is walked beside those of
 * a word. There is no prefix index: with one, rows are written at a third of the speed and take three times the room, and without one a
 * prefix of four letters costs 40 ns a match. `undescribed` are the heads that an older schema had words of and this one has no document of yet.
 * The categories of items become values, which filters reach.
 *
 * Statistics go: plans are what the indexes were made for. A database that was closed when it held one item told the planner so for as
 * long as the next process ran, which then read tables whole where it should have looked one row up: a search took 27 s in place of
 * 19 ms, of 100 000 on a busy machine.
 */
export const searchDocuments = `
CREATE TABLE texts (
  hash TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE search_rows (
  row INTEGER PRIMARY KEY,
  head INTEGER NOT NULL,
  line INTEGER NOT NULL
) STRICT;
CREATE INDEX search_rows_line ON search_rows (line, row);

CREATE TABLE search_documents (
  head INTEGER PRIMARY KEY,
  row INTEGER NOT NULL,
  line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  passages TEXT NOT NULL,
  categories TEXT NOT NULL,
  file TEXT,
  with_text INTEGER NOT NULL
) STRICT;

CREATE TABLE undescribed (head INTEGER PRIMARY KEY) STRICT;
INSERT INTO undescribed SELECT head FROM heads WHERE deleted_date IS NULL AND head IN (SELECT rowid FROM search);

INSERT OR IGNORE INTO field_values
  SELECT h.line, h.kind, '@categories', 's' || e.target_id, h.updated_date, h.id, h.created_date, h.head, h.type, h.archived, h.limited
  FROM edges e CROSS JOIN heads h ON h.head = e.head
  WHERE e.path = 'categories' AND h.kind = 'item' AND h.deleted_date IS NULL;

DROP TABLE search;
CREATE VIRTUAL TABLE search USING fts5 (
  words, content = '', contentless_delete = 1, detail = full, tokenize = 'ascii'
);
INSERT INTO search (search, rank) VALUES ('automerge', 0);
INSERT INTO search (search, rank) VALUES ('deletemerge', 0);
INSERT INTO search (search, rank) VALUES ('crisismerge', 64);
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search, row);

ANALYZE sqlite_schema;
DELETE FROM sqlite_stat1;
ANALYZE sqlite_schema;
`
