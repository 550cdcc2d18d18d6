/** A JSON object in the document. */
export interface JsonObject {
  readonly [member: string]: unknown
}

/** Whether a value is a JSON object, not null or a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
