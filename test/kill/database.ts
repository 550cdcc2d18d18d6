import { DatabaseSync } from 'node:sqlite'
import { hashOf, type Content } from './content.ts'
import type { Ledger } from './ledger.ts'
import type { Damage } from './damage.ts'
import { commonFaults, findFaults } from './faults.ts'

/** A version as the database has it. */
interface FoundVersion {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly body: string
}

const versionsOfNotes = `
  SELECT versions.id, versions.version, versions.name, versions.body FROM versions
  WHERE versions.kind = 'item' AND versions.type = 'note' ORDER BY versions.row`

/** Rows that must not be there when all that was written are notes on main. */
const faults: Readonly<Record<string, string>> = {
  ...commonFaults,
  'a live head is not found by its field': `
    SELECT id AS fault FROM heads WHERE type = 'note' AND deleted_date IS NULL AND NOT EXISTS
      (SELECT 1 FROM field_values WHERE field_values.head = heads.head AND path = 'key')`,
  'a version has not exactly one journal entry': `
    SELECT versions.id AS fault FROM versions WHERE type = 'note' AND 1 <> (SELECT count(*) FROM journal
      WHERE journal.entity_id = versions.id AND journal.version = versions.version)`,
}

/** Compares everything that the file holds with everything that the ledger says. */
export function checkDatabase(file: string, ledger: Ledger): Damage {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The file holds what versionsOfNotes selects.
    const found = database.prepare(versionsOfNotes).all() as unknown as FoundVersion[]
    const torn = findFaults(database, faults)
    return combine(compare(found, ledger), torn)
  } finally {
    database.close()
  }
}

function combine(damage: Damage, torn: readonly string[]): Damage {
  return { ...damage, torn: [...damage.torn, ...torn] }
}

function compare(found: readonly FoundVersion[], ledger: Ledger): Damage {
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
    torn: [...torn.map(of), ...missing.map((key) => `${key}: was said to have taken effect`)],
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

function contentOf({ name, body }: FoundVersion): Content {
  const { fields }: Pick<Content, 'fields'> = JSON.parse(body)
  return { name, fields }
}
