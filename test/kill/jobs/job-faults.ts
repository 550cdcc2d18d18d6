import { commonFaults } from '../faults.ts'
import { commonFaults as commonFaultsOfPostgres } from '../processes/faults.ts'
import type { RowKey } from '../read-rows.ts'

const faults: Readonly<Record<string, string>> = {
  'a blob is recorded for a missing version': `
    SELECT hash AS fault FROM version_blobs WHERE version NOT IN (SELECT row FROM versions)`,
  'a file has no text': `
    SELECT DISTINCT hash AS fault FROM version_blobs WHERE hash NOT IN (SELECT hash FROM texts)`,
  'the text of a file is not in the index': `
    SELECT file AS fault FROM search_documents WHERE file IS NOT NULL AND with_text = 0`,
  'two jobs of a key have not ended': `
    SELECT key AS fault FROM jobs WHERE key IS NOT NULL AND finished_at IS NULL GROUP BY key HAVING count(*) > 1`,
}

const faultsOfSqlite: Readonly<Record<string, string>> = {
  ...commonFaults,
  ...faults,
  'a blob that a version needs is not recorded': `
    SELECT v.id AS fault FROM versions v, json_each(v.blobs) j WHERE v.blobs IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM version_blobs b WHERE b.hash = j.value ->> 0 AND b.version = v.row)`,
  'a rebuild never ended': `
    SELECT id AS fault FROM records WHERE kind = 'indexRebuild' AND data ->> '$.state' = 'running'`,
}

const faultsOfPostgres: Readonly<Record<string, string>> = {
  ...commonFaultsOfPostgres,
  ...faults,
  'a blob that a version needs is not recorded': `
    SELECT v.id AS fault FROM versions v, jsonb_array_elements(v.blobs::jsonb) j WHERE v.blobs IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM version_blobs b WHERE b.hash = j ->> 0 AND b.version = v.row)`,
  'a rebuild never ended': `
    SELECT id AS fault FROM records WHERE kind = 'indexRebuild' AND data::jsonb ->> 'state' = 'running'`,
}

/**
 * Queries for rows that must not exist once every job has ended, in the dialect of the database.
 */
export function jobFaults(location: RowKey): Readonly<Record<string, string>> {
  return 'file' in location ? faultsOfSqlite : faultsOfPostgres
}
