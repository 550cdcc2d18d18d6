/** A JSON value as parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object as parsed. */
export interface JsonObject {
  readonly [member: string]: Json
}

/** Whether a JSON value is an object: neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
