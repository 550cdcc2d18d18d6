import type { DatabaseSync } from 'node:sqlite'
import { indexFaults } from './index-faults.ts'

/** Rows that must not be there, whatever was written: each query answers what is wrong with them. */
export const commonFaults: Readonly<Record<string, string>> = {
  'integrity_check is not ok': `SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  'foreign_key_check finds rows': `SELECT "table" AS fault FROM pragma_foreign_key_check`,
  // In a package they go on from main's.
  'the versions of an item are not 1..n': `
    SELECT versions.id AS fault FROM versions JOIN branches ON branches.id = versions.branch
    GROUP BY branch, package_id, kind, versions.id
    HAVING (min(version) <> 1 AND package_id IS NULL) OR max(version) - min(version) + 1 <> count(*)
      OR count(DISTINCT version) <> count(*)`,
  'a head is not at its newest version': `
    SELECT heads.id AS fault FROM heads
    WHERE version <> (SELECT max(version) FROM versions
      WHERE versions.branch = heads.branch AND versions.kind = heads.kind AND versions.id = heads.id)`,
  'a version has no head': `
    SELECT id AS fault FROM versions WHERE NOT EXISTS (SELECT 1 FROM heads
      WHERE heads.branch = versions.branch AND heads.kind = versions.kind AND heads.id = versions.id)`,
  ...indexFaults,
}

/** What the queries find, each with what is wrong. */
export function findFaults(database: DatabaseSync, queries: Readonly<Record<string, string>>): string[] {
  return Object.entries(queries).flatMap(([what, query]) =>
    database
      .prepare(query)
      .all()
      .map(({ fault }) => `${what}: ${String(fault)}`),
  )
}
