import type { Migration } from '../migration.ts'
import { commitTables } from './commit-tables.ts'
import { inheritedPublishedVersions, publicationsByLocale } from '../steps.ts'
import { postgresSchema } from './schema.ts'
import { text } from './text.ts'
import { valueTables } from './value-tables.ts'
import { wordsInGroups } from './words-in-groups.ts'

/**
 * All steps in order. The first creates the tables; a database with an older version is refused. A
 * released step is never changed: a new step repairs it.
 */
export const postgresMigrations: readonly Migration[] = [
  { version: 8, sql: postgresSchema },
  { version: 9, sql: inheritedPublishedVersions('smallint') },
  { version: 10, sql: valueTables },
  { version: 11, sql: `${commitTables}${wordsInGroups}` },
  { version: 12, sql: publicationsByLocale(text) },
]
