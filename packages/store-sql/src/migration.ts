/** A step of the schema: forward only, run whole or not at all. */
export interface Migration {
  /** The number of the schema that holds afterwards. */
  readonly version: number
  readonly sql: string
}

/** The number of the oldest schema that the steps know; what is older was made by an unreleased version. */
export function oldestVersion(migrations: readonly Migration[]): number {
  return Math.min(...migrations.map(({ version }) => version))
}

/** The number of the schema once all steps are done. */
export function newestVersion(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map(({ version }) => version))
}
