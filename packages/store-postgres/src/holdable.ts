import type { SqlValue } from '@quire/store-sql'

/**
 * Replaces NUL, which PostgreSQL does not allow in texts, by U+FFFD. A search for NUL then finds
 * nothing, and in the text of a file it is an unreadable character anyway. Lone surrogates, which
 * UTF-8 cannot encode, become the same.
 */
export function holdable(value: SqlValue): SqlValue {
  if (typeof value !== 'string') return value
  return (value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value).toWellFormed()
}
