/** A JSON value as parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object as parsed. */
export interface JsonObject {
  readonly [member: string]: Json
}
