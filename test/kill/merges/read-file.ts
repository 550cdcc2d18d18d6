import { DatabaseSync } from 'node:sqlite'
import { commonFaults, findFaults } from '../faults.ts'
import { tallyItems, type Tally } from './main-states.ts'
import { databaseIn, type Seed } from './seed-folder.ts'
import { packageName } from './seed-content.ts'

/** What the file holds about the merge. */
export interface FileContents extends Tally {
  /** The state in the package's record. */
  readonly state: string
  /** The number of changes in the record of the merge; null if there is no record. */
  readonly recorded: number | null
  /** Journal entries that report a merge of a package. */
  readonly journalled: number
  /** New versions on main. */
  readonly versions: number
  /** Broken invariants. */
  readonly faults: readonly string[]
}

const mainItems = `
  WITH main AS (SELECT id FROM branches WHERE package_id IS NULL)
  SELECT heads.id, concat_ws(' | ',
    (SELECT group_concat(mark, ' ') FROM (SELECT json_extract(body, '$.fields.mark') AS mark FROM versions
      WHERE versions.branch = heads.branch AND versions.kind = heads.kind AND versions.id = heads.id ORDER BY version)),
    concat_ws(' ', json_extract(bodies.body, '$.fields.mark'), json_extract(json, '$.fields.mark'),
      coalesce((SELECT group_concat(substr(value, 2), ' ') FROM field_values
        WHERE field_values.head = heads.head AND path = 'mark'), '-')),
    iif(deleted_date IS NULL, 'live', 'deleted'),
    (SELECT group_concat(event, ' ') FROM (SELECT event FROM journal
      WHERE journal.entity_id = heads.id AND journal.package_id IS NULL ORDER BY sequence))
  ) AS state
  FROM heads JOIN main ON main.id = heads.branch JOIN bodies USING (head) JOIN head_json USING (head)
  WHERE heads.kind = 'item'`

const ofThePackage = `
  SELECT json_extract(package.data, '$.state') AS state,
    (SELECT json_array_length(json_extract(data, '$.changes')) FROM records
      WHERE kind = 'merge' AND records.id = package.id) AS recorded,
    (SELECT count(*) FROM journal WHERE event = 'PACKAGE_MERGED') AS journalled,
    (SELECT count(*) FROM versions JOIN branches ON branches.id = versions.branch
      WHERE branches.package_id IS NULL AND json_extract(body, '$.fields.mark') = 'after') AS versions
  FROM records AS package WHERE package.kind = 'package' AND json_extract(package.data, '$.name') = ?`

const faults: Readonly<Record<string, string>> = {
  ...commonFaults,
  'a version of main has not exactly one journal entry that saved it': `
    SELECT versions.id AS fault FROM versions JOIN branches ON branches.id = versions.branch
    WHERE branches.package_id IS NULL AND 1 <> (SELECT count(*) FROM journal
      WHERE journal.entity_id = versions.id AND journal.version = versions.version AND journal.package_id IS NULL
        AND event IN ('ITEM_CREATED', 'ITEM_UPDATED'))`,
}

/** Reads the database of a data folder with its own SQL. */
export function readFile({ folder, items }: Seed): FileContents {
  const database = new DatabaseSync(databaseIn(folder), { readOnly: true })
  try {
    const states = database
      .prepare(mainItems)
      .all()
      .map(({ id, state }) => [String(id), String(state)] as const)
    // A single row with the columns of ofThePackage.
    const reported = database.prepare(ofThePackage).get(packageName) as unknown as Pick<
      FileContents,
      'state' | 'recorded' | 'journalled' | 'versions'
    >
    return {
      ...tallyItems(items, new Map(states), 'inFile'),
      ...reported,
      faults: findFaults(database, faults),
    }
  } finally {
    database.close()
  }
}
