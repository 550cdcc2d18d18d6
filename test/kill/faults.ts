import type { DatabaseSync } from 'node:sqlite'
import { indexFaults } from './index-faults.ts'

/** Rows that must not be there, whatever was written: each query answers what is wrong with them. */
export const commonFaults: Readonly<Record<string, string>> = {
  'integrity_check is not ok': `SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  'foreign_key_check finds rows': `SELECT "table" AS fault FROM pragma_foreign_key_check`,
  'the versions of an item are not 1..n': `
    SELECT id AS fault FROM versions GROUP BY line, kind, id
    HAVING min(version) <> 1 OR max(version) <> count(*) OR count(DISTINCT version) <> count(*)`,
  'a head is not at its newest version': `
    SELECT heads.id AS fault FROM heads
    WHERE version <> (SELECT max(version) FROM versions
      WHERE versions.line = heads.line AND versions.kind = heads.kind AND versions.id = heads.id)`,
  'a version has no head': `
    SELECT id AS fault FROM versions WHERE NOT EXISTS (SELECT 1 FROM heads
      WHERE heads.line = versions.line AND heads.kind = versions.kind AND heads.id = versions.id)`,
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
