import type { Sought } from '../search/sought.ts'

/** What is sought, as FTS5 reads it. Every word is quoted, so that no character of it is read as syntax; a quote cannot occur in a word but is doubled all the same. */
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
