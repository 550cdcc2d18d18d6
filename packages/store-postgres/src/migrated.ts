/** The versions of a database after the migration. */
export interface Migrated {
  readonly serverVersion: string
  readonly schemaVersion: number
}
