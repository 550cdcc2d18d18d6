import { asAdministrator } from '../../services/postgres.ts'
import { addDamage, noDamage, type Damage } from '../damage.ts'
import { compareVersions, type VersionRow } from '../database.ts'
import type { Ledger } from '../ledger.ts'
import { addEffect, type Effects } from './effects.ts'
import { faults } from './faults.ts'

/** A connection to the database. */
type Client = Parameters<Parameters<typeof asAdministrator>[0]>[0]

// Versions in packages and published versions are copies. Only those on main count.
const versionsOfNotes = `
  SELECT versions.id, version::int, name, body FROM whole_versions AS versions JOIN branches ON branches.id = branch
  WHERE kind = 'item' AND type = 'note' AND package_id IS NULL ORDER BY row`

const events = `
  SELECT event, entity_id AS id, version::int FROM journal
  WHERE package_id IS NULL AND (event LIKE 'ITEM_%' OR event LIKE 'PACKAGE_%')`

/** Compares the whole content of a schema with everything that was acknowledged. */
export async function checkContent(
  schema: string,
  { ledger, effects }: { ledger: Ledger; effects: Effects },
): Promise<Damage> {
  return asAdministrator(async (client) => {
    await client.query(`SET search_path = ${schema}`)
    const versions = await client.query<VersionRow>(versionsOfNotes)
    const found = await foundEffects(client)
    const torn = await findFaults(client)
    const reported = addDamage(compareVersions(versions.rows, ledger), compareEffects(found, effects))
    return addDamage(reported, { ...noDamage, torn })
  })
}

/** The number of live notes on main. */
export async function countNotes(schema: string): Promise<number> {
  return asAdministrator(async (client) => {
    const { rows } = await client.query<{ notes: number }>(
      `SELECT count(*)::int AS notes FROM ${schema}.heads JOIN ${schema}.branches ON branches.id = branch
      WHERE type = 'note' AND deleted_date IS NULL AND package_id IS NULL`,
    )
    return rows[0]?.notes ?? 0
  })
}

async function foundEffects(client: Client): Promise<Effects> {
  const { rows } = await client.query<{ event: string; id: string; version: number | null }>(events)
  const found: Effects = new Map()
  for (const row of rows) addEffect(found, row)
  return found
}

/** Each acknowledged effect is in the journal exactly once, and nothing else is. */
function compareEffects(found: Effects, acknowledged: Effects): Damage {
  const all = [...new Set([...found.keys(), ...acknowledged.keys()])]
  const excess = (effect: string) => (found.get(effect) ?? 0) - (acknowledged.get(effect) ?? 0)
  return {
    ...noDamage,
    lost: all.filter((effect) => excess(effect) < 0),
    dup: all.filter((effect) => excess(effect) > 0 && acknowledged.has(effect)),
    phantom: all.filter((effect) => !acknowledged.has(effect)),
  }
}

/** The faults in the current schema of a connection. */
export async function findFaults(client: Client): Promise<string[]> {
  const locations: string[] = []
  for (const [what, query] of Object.entries(faults)) {
    const { rows } = await client.query<{ fault: unknown }>(query)
    locations.push(...rows.map(({ fault }) => `${what}: ${String(fault)}`))
  }
  return locations
}
