/**
 * The key, as an SQL expression, of the lock that every writer in a schema shares during a
 * transaction, and that who changes the tables holds alone. Schema names contain no quotes.
 */
export function writerLock(schema: string): string {
  return `hashtextextended('quire writes ${schema}', 0)`
}

/** The same of the lock that every writer holds alone while it commits: see `end_transaction`. */
export function commitLock(schema: string): string {
  return `hashtextextended('quire commits ${schema}', 0)`
}
