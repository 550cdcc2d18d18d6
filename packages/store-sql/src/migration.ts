/** A step of the schema. Steps only go forward, and run completely or not at all. */
export interface Migration {
  /** The version of the schema after this step. */
  readonly version: number
  readonly sql: string
}

/**
 * The oldest schema version that the steps can start from. Older ones come from unreleased code.
 */
export function oldestVersion(migrations: readonly Migration[]): number {
  return Math.min(...migrations.map(({ version }) => version))
}

/** The schema version after all steps. */
export function newestVersion(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map(({ version }) => version))
}
