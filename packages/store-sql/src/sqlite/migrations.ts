import type { Migration } from '../migration.ts'
import { inheritedPublishedVersions, publicationsByLocale } from '../steps.ts'
import { sqliteSchema } from './schema.ts'
import { valuesSchema } from './values-schema.ts'

/**
 * All steps in order. The first creates the tables; a database with an older version is refused. A
 * released step is never changed: a new step repairs it.
 */
export const sqliteMigrations: readonly Migration[] = [
  { version: 14, sql: sqliteSchema },
  { version: 15, sql: inheritedPublishedVersions('INTEGER') },
  { version: 16, sql: valuesSchema },
  { version: 17, sql: publicationsByLocale('TEXT') },
]
