/**
 * Schema 6. `heads_folder` has the content of a folder newest first; `heads_type` carries the status behind its order, so that type and status are
 * counted in one walk that looks at no head. An entry of the journal stays as it was written: whoever wants to change one has to drop
 * the triggers first.
 */
export const folderLists = `
DROP INDEX heads_type;
CREATE INDEX heads_type ON heads (line, kind, type, updated_date, id DESC, archived, limited, status) WHERE deleted_date IS NULL;
CREATE INDEX heads_folder ON heads (line, kind, parent_id, updated_date, id DESC, type, archived, limited)
  WHERE deleted_date IS NULL AND parent_id IS NOT NULL;

CREATE TRIGGER journal_kept BEFORE UPDATE ON journal
  BEGIN SELECT RAISE(ABORT, 'The journal is only appended to.'); END;
CREATE TRIGGER journal_whole BEFORE DELETE ON journal
  BEGIN SELECT RAISE(ABORT, 'The journal is only appended to.'); END;
`
