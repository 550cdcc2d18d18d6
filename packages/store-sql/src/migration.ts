/** A step of the schema: forward only, run whole or not at all. */
export interface Migration {
  /** The number of the schema that holds afterwards. */
  readonly version: number
  readonly sql: string
}

/** The number of the schema once all steps are done. */
export function newestVersion(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map(({ version }) => version))
}
