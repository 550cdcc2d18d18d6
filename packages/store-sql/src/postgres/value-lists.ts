/**
 * Schema 2: the index of values holds all that lists and counts by a value look at, as the table itself does in SQLite. Of 100 000 items a facet took 110 ms
 * in place of 33, a count by type 57 in place of 20, because each row was looked up in the table besides. The index is a fifth larger.
 */
export const valueLists = `
DROP INDEX field_values_order;
CREATE UNIQUE INDEX field_values_order ON field_values (line, kind, path, value, updated_date, id DESC)
  INCLUDE (head, type, archived, limited, created_date);
`
