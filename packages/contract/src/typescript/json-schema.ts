import { isJsonObject } from '../openapi/json.ts'
import { memberText, oneOf, textLiteral } from './literals.ts'

/**
 * The type of the values that a JSON Schema accepts, never narrower than the schema. A schema that
 * uses more than types, members, entries and single values (`$ref`, `anyOf`…) becomes any JSON.
 */
export function schemaText(schema: unknown): string {
  if (!isJsonObject(schema) || Object.keys(schema).some((word) => !understood.has(word))) return 'Json'
  if ('const' in schema) return literalText(schema['const']) ?? 'Json'
  if (Array.isArray(schema['enum'])) return literalsText(schema['enum'])
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  return oneOf(types.map((type) => typeText(type, schema)))
}

/**
 * Keywords that can be written as types, and keywords that only restrict a type further. Not
 * `default`: a required member with a default may be left out.
 */
const understood: ReadonlySet<string> = new Set(
  (
    'type const enum items properties required additionalProperties $schema $id $comment title description examples ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength format minItems maxItems uniqueItems'
  ).split(' '),
)

function literalText(value: unknown): string | null {
  if (typeof value === 'string') return textLiteral(value)
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : null
}

function literalsText(values: readonly unknown[]): string {
  const literals = values.map(literalText)
  return literals.every((literal) => literal !== null) ? oneOf(literals) : 'Json'
}

function typeText(type: unknown, schema: Readonly<Record<string, unknown>>): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return 'items' in schema ? `(${schemaText(schema['items'])})[]` : 'Json[]'
    case 'object':
      return objectText(schema)
    default:
      return 'Json'
  }
}

/** An object that allows unnamed members becomes any object, because a type cannot express both. */
function objectText({
  properties,
  required,
  additionalProperties,
}: Readonly<Record<string, unknown>>): string {
  if (additionalProperties !== false || !isJsonObject(properties)) return '{ [name: string]: Json }'
  const needed = new Set(Array.isArray(required) ? required : [])
  const members = Object.entries(properties).map(
    ([name, schema]) => `${memberText(name)}${needed.has(name) ? '' : '?'}: ${schemaText(schema)}`,
  )
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}
