import { valueFaults } from '../faults.ts'

/**
 * Queries for rows that must not exist, whatever was written. Each returns a description of the
 * fault.
 */
export const commonFaults: Readonly<Record<string, string>> = {
  ...valueFaults,
  // In a package, versions continue from main's.
  'the versions of an item are not 1..n': `
    SELECT versions.id AS fault FROM versions JOIN branches ON branches.id = versions.branch
    GROUP BY branch, package_id, kind, versions.id
    HAVING (min(version) <> 1 AND package_id IS NULL) OR max(version) - min(version) + 1 <> count(*)`,
  'a head is not at its newest version': `
    SELECT heads.id AS fault FROM heads WHERE version <> coalesce((SELECT max(version) FROM versions
      WHERE versions.branch = heads.branch AND versions.kind = heads.kind AND versions.id = heads.id), 0)`,
  'a version has no head': `
    SELECT id AS fault FROM versions WHERE NOT EXISTS (SELECT 1 FROM heads
      WHERE heads.branch = versions.branch AND heads.kind = versions.kind AND heads.id = versions.id)`,
  'a live head has no document': `
    SELECT id AS fault FROM heads WHERE deleted_date IS NULL AND head NOT IN (SELECT head FROM search_documents)`,
  'a document has no live head': `
    SELECT row AS fault FROM search_documents WHERE head NOT IN (SELECT head FROM heads WHERE deleted_date IS NULL)`,
  'a document is not of the branch, the kind and the name of its head': `
    SELECT heads.id AS fault FROM search_documents AS documents JOIN heads USING (head)
    WHERE (documents.branch, documents.kind, documents.name) <> (heads.branch, heads.kind, heads.name)`,
  'a document has no words': `
    SELECT row AS fault FROM search_documents WHERE row NOT IN (SELECT rowid FROM search)`,
  'words have no document': `
    SELECT rowid AS fault FROM search WHERE rowid NOT IN (SELECT row FROM search_documents)`,
  'a row of a branch is not that of its document': `
    SELECT row AS fault FROM (SELECT row, head, branch FROM search_rows EXCEPT SELECT row, head, branch FROM search_documents) AS more`,
  'a document is not among the rows of its branch': `
    SELECT row AS fault FROM (SELECT row, head, branch FROM search_documents EXCEPT SELECT row, head, branch FROM search_rows) AS less`,
  'a value has no live head': `
    SELECT id AS fault FROM field_values WHERE head NOT IN (SELECT head FROM heads WHERE deleted_date IS NULL)`,
  'a value is not marked as its head': `
    SELECT heads.id AS fault FROM field_values AS found JOIN heads USING (head)
    WHERE (found.branch, found.kind, found.id, found.type, found.updated_date, found.created_date, found.archived, found.limited)
      <> (heads.branch, heads.kind, heads.id, heads.type, heads.updated_date, heads.created_date, heads.archived, heads.limited)`,
  'a record has a key of no record': `
    SELECT key AS fault FROM record_keys WHERE (kind, id) NOT IN (SELECT kind, id FROM records)`,
  'two names of a record are one': `
    SELECT data::jsonb ->> 'name' AS fault FROM records WHERE kind IN ('type', 'role', 'repository')
    GROUP BY kind, data::jsonb ->> 'name' HAVING count(*) > 1`,
}

/** The same queries, and more for content that consists only of notes with a key. */
export const faults: Readonly<Record<string, string>> = {
  ...commonFaults,
  'a live note is not found by its field': `
    SELECT id AS fault FROM heads JOIN whole_bodies USING (head) WHERE type = 'note' AND deleted_date IS NULL
      AND 1 <> (SELECT count(*) FROM field_values WHERE field_values.head = heads.head AND path = 'key'
        AND value = 's' || (body::jsonb #>> '{fields,key}'))`,
  'a live note is not indexed by its word alone': `
    SELECT id AS fault FROM heads JOIN whole_bodies USING (head) JOIN search_documents USING (head)
      JOIN search ON rowid = search_documents.row WHERE type = 'note' AND deleted_date IS NULL
      AND ARRAY['iaword' || replace(body::jsonb #>> '{fields,key}', '-', 'x')] IS DISTINCT FROM
        (SELECT array_agg(DISTINCT substr(word, 6)) FROM unnest(string_to_array(words, ' ')) AS word WHERE substr(word, 6) LIKE 'iaword_%')`,
}
