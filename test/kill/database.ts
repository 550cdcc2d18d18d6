import { DatabaseSync } from 'node:sqlite'
import { hashOf, wordOf, type Content } from './content.ts'
import type { Ledger } from './ledger.ts'
import type { Damage } from './damage.ts'
import { commonFaults, findFaults } from './faults.ts'

/** A version as stored in the database. */
export interface VersionRow {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly body: string
}

/** A live note and the row number of its search document. */
interface NoteRow {
  readonly row: number
  readonly body: string
}

const notes = `
  SELECT row, body FROM heads JOIN whole_bodies USING (head) JOIN search_documents USING (head)
  WHERE heads.type = 'note' AND deleted_date IS NULL`

const countOfNotes = `SELECT count(*) AS notes FROM heads WHERE type = 'note' AND deleted_date IS NULL`

const versionsOfNotes = `
  SELECT id, version, name, body FROM whole_versions
  WHERE kind = 'item' AND type = 'note' ORDER BY row`

/** Queries for rows that must not exist if only notes on main were written. */
const faults: Readonly<Record<string, string>> = {
  ...commonFaults,
  'a live head is not found by its field': `
    SELECT id AS fault FROM heads JOIN whole_bodies USING (head)
    WHERE type = 'note' AND deleted_date IS NULL AND 1 <> (SELECT count(*) FROM field_values
      WHERE field_values.head = heads.head AND path = 'key' AND value = 's' || json_extract(body, '$.fields.key'))`,
  // Entries for gained or lost categories are additional.
  'a version has not exactly one journal entry': `
    SELECT versions.id AS fault FROM versions WHERE type = 'note' AND 1 <> (SELECT count(*) FROM journal
      WHERE journal.entity_id = versions.id AND journal.version = versions.version AND journal.event NOT LIKE 'ITEM_%CATEGORIZED')`,
}

/** Compares the whole content of the file with the ledger. */
export function checkDatabase(file: string, ledger: Ledger): Damage {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The columns are those of versionsOfNotes.
    const found = database.prepare(versionsOfNotes).all() as unknown as VersionRow[]
    const torn = [...findFaults(database, faults), ...findWordFaults(database)]
    return combine(compareVersions(found, ledger), torn)
  } finally {
    database.close()
  }
}

/** The number of live notes. */
export function countNotes(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare(countOfNotes).get()?.['notes'])
  } finally {
    database.close()
  }
}

/**
 * Checks the words that each identify one note. The index must have each word at the document of
 * its note, and no other words.
 */
function findWordFaults(database: DatabaseSync): string[] {
  // The columns are those of `notes`.
  const found = database.prepare(notes).all() as unknown as NoteRow[]
  const wanted = new Set(found.map(({ row, body }) => `${wordOf(keyOf(body))} at ${row}`))
  const indexed = new Set(indexedWords(database))
  return [
    ...without(wanted, indexed).map((location) => `a note is not found by its word: ${location}`),
    ...without(indexed, wanted).map((location) => `the index has a word of no note: ${location}`),
  ]
}

function without(all: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...all].filter((one) => !others.has(one))
}

/**
 * The words that identify one note, each with the number of the document where the index has it.
 */
function indexedWords(database: DatabaseSync): string[] {
  database.exec('CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, instance)')
  const branches = database.prepare('SELECT id FROM branches').all()
  const words = database.prepare(
    `SELECT substr(term, 8) || ' at ' || doc AS location FROM temp.words WHERE term >= ? AND term < ?`,
  )
  return branches.flatMap(({ id }) => {
    // An item's words are prefixed with five letters for its branch, and these two.
    const scope = `${Number(id).toString(36).padStart(5, '0')}ia`
    return words.all(`${scope}word`, `${scope}wore`).map(({ location }) => String(location))
  })
}

function combine(damage: Damage, torn: readonly string[]): Damage {
  return { ...damage, torn: [...damage.torn, ...torn] }
}

/** Compares the versions of all notes with the ledger. */
export function compareVersions(found: readonly VersionRow[], ledger: Ledger): Damage {
  const effects = Map.groupBy(found, (version) => contentOf(version).fields.key)
  const of = ({ id, version }: { id: string; version: number }) => `${id} version ${version}`
  const lost = [...ledger.acknowledged.values()].filter(
    ({ key, id, version }) =>
      !effects.get(key)?.some((effect) => effect.id === id && effect.version === version),
  )
  const missing = [...ledger.effective].filter((key) => !effects.has(key))
  const torn = found.filter((version) => isTorn(contentOf(version), ledger))
  const phantoms = found.filter((version) => isPhantom(contentOf(version).fields.key, ledger))
  const repeated = [...effects].filter(([, versions]) => versions.length > 1)
  return {
    lost: lost.map((entry) => `${entry.key}: ${of(entry)}`),
    torn: [...torn.map(of), ...missing.map((key) => `${key}: was reported as effective, but is missing`)],
    phantom: phantoms.map(of),
    dup: repeated.map(([key, versions]) => `${key}: ${versions.map(of).join(', ')}`),
  }
}

function isTorn(content: Content, { sent }: Ledger): boolean {
  const was = sent.get(content.fields.key)
  return was !== undefined && hashOf(content) !== was.hash
}

function isPhantom(key: string, { sent, refused }: Ledger): boolean {
  return !sent.has(key) || refused.has(key)
}

function keyOf(body: string): string {
  return contentOf({ name: '', body }).fields.key
}

function contentOf({ name, body }: Pick<VersionRow, 'name' | 'body'>): Content {
  const { fields }: Pick<Content, 'fields'> = JSON.parse(body)
  return { name, fields }
}
