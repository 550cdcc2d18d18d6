import { runQuery } from './run.ts'
import { createQuery, deleteQuery, getQuery, listQueries, runSaved, updateQuery } from './saved.ts'

/** Queries over content. */
export const queries = { run: runQuery, runSaved }

/** Queries with a name. */
export const savedQueries = {
  list: listQueries,
  get: getQuery,
  create: createQuery,
  update: updateQuery,
  delete: deleteQuery,
}
