import { z } from 'zod'
import { isJsonObject, type JsonObject } from './json.ts'

/** What is sent, or what is answered: defaults and unknown members differ. */
type Direction = 'input' | 'output'

/** Turns shapes of the contract into JSON Schema, and keeps those that have a name for `components/schemas`. */
export interface Schemas {
  /** The schema of a shape; named shapes in it are references. */
  of(shape: z.ZodType, direction: Direction): JsonObject
  /** Keeps a schema under a name of its own and gives the reference to it. */
  keep(name: string, schema: JsonObject): JsonObject
  /** All named schemas, by name. */
  components(): JsonObject
}

/** Schemas of one document. A named shape that reads differently when it is sent is kept a second time as `<Name>Input`. */
export function createSchemas(): Schemas {
  const kept = new Map<string, JsonObject>()
  const keep = (name: string, schema: JsonObject) => {
    const before = kept.get(name)
    if (before && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${name}`)
    kept.set(name, schema)
    return reference(name)
  }
  return {
    of(shape, direction) {
      const { definitions, root } = convert(shape, direction)
      const names = new Map([...definitions].map(([id, schema]) => [id, nameOf(id, schema, direction)]))
      const place: Place = { definitions, names }
      for (const [id, name] of names)
        if (name !== null) keep(name, withReferences(place, definitions.get(id)))
      return withReferences(place, root)
    },
    keep,
    components: () => Object.fromEntries([...kept].toSorted(([a], [b]) => a.localeCompare(b))),
  }
}

const prefix = '#/$defs/'
const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

interface Place {
  readonly definitions: ReadonlyMap<string, JsonObject>
  /** The name in the document; null: written out where it is used. */
  readonly names: ReadonlyMap<string, string | null>
}

function convert(shape: z.ZodType, io: Direction) {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(shape, {
    io,
    // Bytes are the only shape that JSON Schema has no word for.
    unrepresentable: 'any',
    override: openAnswers,
  })
  return { root, definitions: new Map(Object.entries($defs as Record<string, JsonObject>)) }
}

/** Bytes, as OpenAPI 3.1 has them. */
export const binarySchema: JsonObject = { type: 'string', contentMediaType: 'application/octet-stream' }

// Answers may grow members without breaking anybody: only shapes that are strict by themselves forbid unknown ones.
function openAnswers({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: JsonObject
}): void {
  const { def } = zodSchema._zod
  if (def.type === 'custom') Object.assign(jsonSchema, binarySchema)
  if (def.type === 'object' && def.catchall === undefined) {
    Reflect.deleteProperty(jsonSchema, 'additionalProperties')
  }
}

// Shapes without a name that refer to themselves have to get one. The contract has a single such shape: any JSON value.
function nameOf(id: string, schema: JsonObject, direction: Direction): string | null {
  const refersTo = JSON.stringify(schema).includes(`"${prefix}${id}"`)
  if (id.startsWith('__schema')) return refersTo ? 'JsonValue' : null
  return direction === 'input' && isSentDifferently.has(id) ? `${id}Input` : id
}

/** Named shapes with defaults, which one may leave out when sending but always finds in answers; `keep` throws for one not listed. */
const isSentDifferently: ReadonlySet<string> = new Set(['Field'])

function withReferences(place: Place, schema: unknown): JsonObject {
  const rewritten = rewrite(place, schema)
  return isJsonObject(rewritten) ? rewritten : {}
}

function rewrite(place: Place, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => rewrite(place, member))
  if (!isJsonObject(value)) return value
  const { $ref, ...rest } = value
  const members = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, rewrite(place, member)]),
  )
  if (typeof $ref !== 'string' || !$ref.startsWith(prefix)) return members
  const id = $ref.slice(prefix.length)
  const name = place.names.get(id)
  return name
    ? { ...reference(name), ...members }
    : { ...withReferences(place, place.definitions.get(id)), ...members }
}
