import { getTableName } from 'drizzle-orm'
import * as tables from './tables.ts'

const named = new RegExp(`\\b(?:${Object.values(tables).map(getTableName).join('|')})\\b`, 'g')

/** The tables behind views, and those that triggers on a table write to when a row is inserted. */
const behind: Readonly<Record<string, readonly string[]>> = {
  whole_json: ['head_json', 'large_values'],
  whole_bodies: ['bodies', 'large_values'],
  whole_versions: ['versions', 'large_values'],
  versions: ['version_blobs', 'version_values'],
}

/** What the triggers on `versions` read and write when a row is deleted. */
const behindDeletes = ['heads', 'head_json', 'bodies', 'large_values', 'whole_json', 'whole_bodies']

/**
 * The tables that a statement may read or write: all whose names occur in its text, and what is
 * behind them.
 */
export function touchedTables(text: string): ReadonlySet<string> {
  const touched = new Set(text.match(named))
  if (touched.has('versions') && text.startsWith('DELETE'))
    for (const name of behindDeletes) touched.add(name)
  for (const name of touched) for (const other of behind[name] ?? []) touched.add(other)
  return touched
}
