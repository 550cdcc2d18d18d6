/** A part of the document: a JSON object as it is written. */
export interface JsonObject {
  readonly [member: string]: unknown
}

/** Whether a value is an object with members: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
