import type { Migration } from '../migration.ts'
import { postgresSchema } from './schema.ts'

/**
 * Every step, in order; the first makes the tables, and a database from before it is refused. A step that was released is never changed: the
 * next one repairs it.
 */
export const postgresMigrations: readonly Migration[] = [{ version: 8, sql: postgresSchema }]
