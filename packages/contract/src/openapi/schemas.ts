import { z } from 'zod'
import { SkippableCount } from '../conventions.ts'
import { isJsonObject, type JsonObject } from './json.ts'

/** What is sent, or what is answered: defaults and unknown members differ. */
type Direction = 'input' | 'output'

/** Turns shapes of the contract into JSON Schema, and keeps those that have a name for `components/schemas`. */
export interface Schemas {
  /** The schema of a shape; named shapes in it are references. */
  of(shape: z.ZodType, direction: Direction): JsonObject
  /** Keeps a schema under a name of its own and gives the reference to it. */
  retain(name: string, schema: JsonObject): JsonObject
  /** All named schemas, by name. */
  components(): JsonObject
}

/** Schemas of one document. A named shape that reads differently when it is sent is kept a second time as `<Name>Input`. */
export function createSchemas(): Schemas {
  const stored = new Map<string, JsonObject>()
  const retain = (name: string, schema: JsonObject) => {
    const before = stored.get(name)
    if (before && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${name}`)
    stored.set(name, schema)
    return reference(name)
  }
  return {
    of(shape, direction) {
      const { definitions, root } = convert(shape, direction)
      const names = new Map([...definitions].map(([id, schema]) => [id, nameOf(id, schema, direction)]))
      const location: Location = { definitions, names }
      for (const [id, name] of names)
        if (name !== null) retain(name, withReferences(location, definitions.get(id)))
      return withReferences(location, root)
    },
    retain,
    components: () => Object.fromEntries([...stored].toSorted(([a], [b]) => a.localeCompare(b))),
  }
}

const prefix = '#/$defs/'
const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

interface Location {
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
    override(context) {
      openAnswers(context)
      requireCount(context)
    },
  })
  return { root, definitions: new Map(Object.entries($defs as Record<string, JsonObject>)) }
}

/** Bytes, as OpenAPI 3.1 has them. */
export const binarySchema: JsonObject = { type: 'string', contentMediaType: 'application/octet-stream' }

interface Converted {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: JsonObject
}

// A list has a count (specification 2.1). Were it optional because one can ask to do without, every generated client would have to look for it.
function requireCount({ zodSchema: { _zod }, jsonSchema }: Converted): void {
  if (_zod.def.type !== 'object' || _zod.def.shape['count'] !== SkippableCount) return
  const { required = [] } = jsonSchema
  Object.assign(jsonSchema, { required: ['count', ...(required as string[])] })
}

// Answers may grow members without breaking anybody: only shapes that are strict by themselves forbid unknown ones.
function openAnswers({ zodSchema, jsonSchema }: Converted): void {
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

function withReferences(location: Location, schema: unknown): JsonObject {
  const rewritten = rewrite(location, schema)
  return isJsonObject(rewritten) ? rewritten : {}
}

function rewrite(location: Location, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => rewrite(location, member))
  if (!isJsonObject(value)) return value
  const { $ref, ...rest } = value
  const members = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, rewrite(location, member)]),
  )
  if (typeof $ref !== 'string' || !$ref.startsWith(prefix)) return members
  const id = $ref.slice(prefix.length)
  const name = location.names.get(id)
  return name
    ? { ...reference(name), ...members }
    : { ...withReferences(location, location.definitions.get(id)), ...members }
}
