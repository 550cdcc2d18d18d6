/** The key of the lock that whoever writes in a schema holds for the length of a transaction, as an expression. The name of a schema has no quotes. */
export function writerLock(schema: string): string {
  return `hashtextextended('quire writes ${schema}', 0)`
}
