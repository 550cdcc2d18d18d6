/**
 * The key, as an SQL expression, of the lock that every writer in a schema holds during a
 * transaction. Schema names contain no quotes.
 */
export function writerLock(schema: string): string {
  return `hashtextextended('quire writes ${schema}', 0)`
}
