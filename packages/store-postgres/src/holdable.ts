import type { SqlValue } from '@quire/store-sql'

/** No text of PostgreSQL holds a NUL: one that is looked for is not found, and one in the text of a file is a sign that nobody can read. */
export function holdable(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}
