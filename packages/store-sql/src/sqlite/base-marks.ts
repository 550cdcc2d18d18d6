/**
 * Schema 2: the base of a package's head has the marks of main's head, for the three-way merge. The index finds what packages
 * started from, so that main forgets no version of it.
 */
export const baseMarks = `
ALTER TABLE heads ADD COLUMN base_published INTEGER;
ALTER TABLE heads ADD COLUMN base_archived INTEGER;
ALTER TABLE heads ADD COLUMN base_deleted INTEGER;
CREATE INDEX heads_base ON heads (kind, id, base, base_published) WHERE base IS NOT NULL;
`
