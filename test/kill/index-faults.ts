// Each row has a head and a category id.
const documented = `
  SELECT head, each.value FROM search_documents AS documents, json_each(documents.categories) AS each`
const categoryLocations: Readonly<Record<string, string>> = {
  values: `SELECT head, substr(value, 2) FROM field_values WHERE path = '@categories'`,
  edges: `SELECT head, target_id FROM edges WHERE path = 'categories'`,
}

/**
 * Queries that compare derived rows with heads. Lists, searches and references rely on these rows
 * alone.
 */
export const indexFaults: Readonly<Record<string, string>> = {
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
  'a value has no live head': `
    SELECT id AS fault FROM field_values WHERE head NOT IN (SELECT head FROM heads WHERE deleted_date IS NULL)`,
  'a value is not marked as its head': `
    SELECT heads.id AS fault FROM field_values AS found JOIN heads USING (head)
    WHERE (found.branch, found.kind, found.id, found.type, found.updated_date, found.created_date, found.archived, found.limited)
      <> (heads.branch, heads.kind, heads.id, heads.type, heads.updated_date, heads.created_date, heads.archived, heads.limited)`,
  'an edge has no live head': `
    SELECT id AS fault FROM edges WHERE head NOT IN (SELECT head FROM heads WHERE deleted_date IS NULL)`,
  'an edge is not of the branch and the id of its head': `
    SELECT heads.id AS fault FROM edges JOIN heads USING (head)
    WHERE (edges.branch, edges.id) <> (heads.branch, heads.id)`,
  'the categories of a document are not those of its item': `
    SELECT heads.id AS fault FROM search_documents AS documents JOIN heads USING (head) JOIN whole_bodies USING (head)
    WHERE heads.kind = 'item' AND documents.categories <> json_extract(body, '$.categories')`,
  ...Object.fromEntries(Object.entries(categoryLocations).flatMap(categoryFaults)),
}

/** Compares both ways: each category of a document is present, and nothing else is. */
function categoryFaults([where, found]: readonly [string, string]): (readonly [string, string])[] {
  return [
    [`a category is not among the ${where}`, `SELECT head AS fault FROM (${documented} EXCEPT ${found})`],
    [
      `something other than a category is among the ${where}`,
      `SELECT head AS fault FROM (${found} EXCEPT ${documented})`,
    ],
  ]
}
