import { z } from 'zod'
import { Item, ReadItem } from '../content/items/shapes.ts'
import { SkippableCount } from '../conventions.ts'
import { PublishedItem, ReadPublishedItem } from '../delivery/published/shapes.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { portablePattern } from './patterns.ts'

/**
 * Whether a schema describes requests or responses, which differ in defaults and unknown members.
 */
type Direction = 'input' | 'output'

/**
 * Converts shapes of the contract to JSON Schema, and collects named ones for `components/schemas`.
 */
export interface Schemas {
  /** The schema of a shape, in which named shapes are references. */
  of(shape: z.ZodType, direction: Direction): JsonObject
  /** Stores a schema under a name and returns the reference to it. */
  retain(name: string, schema: JsonObject): JsonObject
  /** All named schemas, by name. */
  components(): JsonObject
}

/**
 * The schemas of one document. A named shape that differs in requests is stored a second time as
 * `<Name>Input`.
 */
export function createSchemas(): Schemas {
  const stored = new Map<string, JsonObject>()
  const retain = (name: string, schema: JsonObject) => {
    const before = stored.get(name)
    if (before && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`Two schemas are named ${name}`)
    stored.set(name, schema)
    return reference(name)
  }
  return {
    of(shape, direction) {
      const { definitions, root } = convert(shape, direction)
      const names = new Map([...definitions].map(([id, schema]) => [id, nameOf(id, schema, direction)]))
      const location: Location = { definitions, names }
      for (const [id, name] of names)
        if (name === jsonValue) retain(name, anyValue)
        else if (name !== null) retain(name, withReferences(location, definitions.get(id)))
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
  /** The name in the document; null: inlined where it is used. */
  readonly names: ReadonlyMap<string, string | null>
}

function convert(shape: z.ZodType, io: Direction) {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(shape, {
    io,
    // Bytes are the only shape that JSON Schema cannot describe.
    unrepresentable: 'any',
    override(context) {
      openAnswers(context)
      requireCount(context)
      requireMembers(context)
      rewritePattern(context)
    },
  })
  return { root, definitions: new Map(Object.entries($defs as Record<string, JsonObject>)) }
}

/** Bytes in OpenAPI 3.1. */
export const binarySchema: JsonObject = { type: 'string', contentMediaType: 'application/octet-stream' }

interface Converted {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: JsonObject
}

// A list has a count (specification 2.1). If it were optional because of `skipCount`, every
// generated client would have to check for it.
function requireCount({ zodSchema: { _zod }, jsonSchema }: Converted): void {
  if (_zod.def.type !== 'object' || _zod.def.shape['count'] !== SkippableCount) return
  const { required = [] } = jsonSchema
  Object.assign(jsonSchema, { required: ['count', ...(required as string[])] })
}

/** The shapes of reads with `select`, and what a read returns without it. */
const complete: ReadonlyMap<unknown, z.ZodObject> = new Map([
  [ReadItem, Item],
  [ReadPublishedItem, PublishedItem],
])

// The same for the members of an item: only a request with `select` gets a response without them,
// except those that only repositories with locales have.
function requireMembers({ zodSchema, jsonSchema }: Converted): void {
  const whole = complete.get(zodSchema)
  if (whole) Object.assign(jsonSchema, { required: requiredOf(whole) })
}

function requiredOf({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodOptional))
}

function rewritePattern({ jsonSchema }: Converted): void {
  const { pattern } = jsonSchema
  if (typeof pattern === 'string') Object.assign(jsonSchema, { pattern: portablePattern(pattern) })
}

// New members in responses must not break clients, so only shapes that are strict themselves forbid
// unknown members.
function openAnswers({ zodSchema, jsonSchema }: Converted): void {
  const { def } = zodSchema._zod
  if (def.type === 'custom') Object.assign(jsonSchema, binarySchema)
  if (def.type === 'object' && def.catchall === undefined) {
    Reflect.deleteProperty(jsonSchema, 'additionalProperties')
  }
}

const jsonValue = 'JsonValue'

// The same as a union of all types whose members refer to it, of which generators make a type that
// TypeScript rejects as circular, or an index signature that no optional member fits.
const anyValue: JsonObject = { description: 'Any JSON value' }

// A shape that refers to itself needs a name. The contract has only one such shape without a name:
// any JSON value.
function nameOf(id: string, schema: JsonObject, direction: Direction): string | null {
  const refersTo = JSON.stringify(schema).includes(`"${prefix}${id}"`)
  if (id.startsWith('__schema')) return refersTo ? jsonValue : null
  return direction === 'input' && isSentDifferently.has(id) ? `${id}Input` : id
}

/**
 * Named shapes with defaults: optional in requests, always present in responses. `retain` throws
 * for one that is missing here.
 */
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
