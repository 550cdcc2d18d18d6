import type { SqlValues } from '../driver.ts'
import type { RowWrite } from '../row-write.ts'

/** The columns of texts that indexes hold, for each table with a `RowWrite`. */
export const indexedTexts: Readonly<Record<string, readonly string[]>> = {
  bodies: [],
  edges: ['id', 'path', 'target_id'],
  ephemera: ['key'],
  field_values: ['id', 'kind', 'path', 'type', 'value'],
  head_json: [],
  head_roles: ['role'],
  heads: ['id', 'kind', 'name', 'parent_id', 'roles', 'slug', 'status', 'type'],
  journal: ['entity_id', 'repository_id'],
  large_values: ['hash'],
  moments: ['id', 'kind'],
  record_keys: ['id', 'key', 'kind'],
  search: [],
  search_documents: [],
  search_rows: [],
  texts: ['hash'],
  usage: ['scope'],
  usage_deltas: ['scope'],
  versions: ['id', 'kind'],
}

/**
 * The most characters in indexed columns of a row that certainly fit into each index: a row of an
 * index has 2 704 bytes, a character up to three.
 */
const FITTING = 850

/** Returns a function that tells whether a row certainly fits into the indexes. */
export function prepareFits({ table, columns }: RowWrite): (values: SqlValues) => boolean {
  const indexed = indexedTexts[table]
  if (!indexed) throw new TypeError(`Add the indexed texts of ${table}.`)
  const texts = Object.keys(columns).filter((name) => indexed.includes(columns[name]?.name ?? ''))
  return (values) => {
    let characters = 0
    for (const name of texts) characters += String(values[name]).length
    return characters <= FITTING
  }
}
