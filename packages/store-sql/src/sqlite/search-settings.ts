/**
 * Schema 3: SQLite no longer merges the search index by itself; the store does, a bounded part with each commit (`search-upkeep.ts` in
 * @quire/store-sqlite). FTS5 merges in proportion to what it writes at once, and the deleted rows of a segment in one go: within a
 * merge of 5 000 items one statement took 1.6 s of 100 000 (docs/decisions/0012).
 *
 * `crisismerge`: segments of a level from which on FTS5 merges that level whole after all. A package of 5 000 leaves two large
 * segments: with FTS5's own 16 the eighth of such merges in a row comes there; at 128 a search may look into twice as many segments.
 */
export const searchSettings = `
INSERT INTO search (search, rank) VALUES ('automerge', 0);
INSERT INTO search (search, rank) VALUES ('deletemerge', 0);
INSERT INTO search (search, rank) VALUES ('crisismerge', 64);
`
