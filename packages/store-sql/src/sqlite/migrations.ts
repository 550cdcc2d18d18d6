import type { Migration } from '../migration.ts'
import { sqliteSchema } from './schema.ts'

/**
 * Every step, in order; the first makes the tables, and a database from before it is refused. A step that was released is never changed: the
 * next one repairs it.
 */
export const sqliteMigrations: readonly Migration[] = [{ version: 14, sql: sqliteSchema }]
