/** A step of the schema: forward only, run whole or not at all. */
export interface Migration {
  /** The number of the schema that holds afterwards. */
  readonly version: number
  readonly sql: string
}
