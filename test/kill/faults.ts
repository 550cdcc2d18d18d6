import type { DatabaseSync } from 'node:sqlite'
import { indexFaults } from './index-faults.ts'

/** The faults of large values, for both databases. */
export const valueFaults: Readonly<Record<string, string>> = {
  'a version points to a value that is not stored': `
    SELECT hash AS fault FROM version_values WHERE hash NOT IN (SELECT hash FROM large_values)`,
  'a value is stored that no version points to': `
    SELECT hash AS fault FROM large_values WHERE hash NOT IN (SELECT hash FROM version_values)`,
}

/**
 * Queries for rows that must not exist, whatever was written. Each returns a description of the
 * fault.
 */
export const commonFaults: Readonly<Record<string, string>> = {
  'integrity_check is not ok': `SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  'foreign_key_check finds rows': `SELECT "table" AS fault FROM pragma_foreign_key_check`,
  // In a package, versions continue from main's.
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
  ...valueFaults,
  ...indexFaults,
}

/** The results of the queries, each prefixed with the fault's name. */
export function findFaults(database: DatabaseSync, queries: Readonly<Record<string, string>>): string[] {
  return Object.entries(queries).flatMap(([what, query]) =>
    database
      .prepare(query)
      .all()
      .map(({ fault }) => `${what}: ${String(fault)}`),
  )
}
