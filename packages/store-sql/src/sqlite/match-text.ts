import type { Sought } from '../search/sought.ts'

/**
 * The FTS5 query of a search condition. Every word is quoted, so that none of its characters is
 * read as syntax. Words never contain quotes, but these are doubled all the same.
 */
export function matchText(sought: Sought): string {
  if ('all' in sought) return joined(sought.all, ' AND ')
  if ('any' in sought) return joined(sought.any, ' OR ')
  if ('one' in sought) return `(${matchText(sought.one)} NOT ${matchText(sought.but)})`
  return `"${sought.row.join(' ').replaceAll('"', '""')}"${sought.prefix ? '*' : ''}`
}

function joined(parts: readonly Sought[], operator: string): string {
  const [only] = parts
  return parts.length === 1 && only ? matchText(only) : `(${parts.map(matchText).join(operator)})`
}
