import { resolve, type JsonSchema } from './operations.ts'
import type { Random } from './random.ts'

/** The context of a generated value. */
export interface ValueContext {
  readonly random: Random
  /** A meaningful value for a member with this name; undefined for no proposal. */
  readonly hint: (name: string, depth: number) => unknown
  /** The name of the member that the value is for. */
  readonly name: string
  readonly depth: number
}

// Below this depth, optional members are left out and lists are empty, so that recursive schemas
// end.
const deepest = 6

/** A value that is valid for the schema, as far as the schema says. */
export function valueOf(schema: JsonSchema, context: ValueContext): unknown {
  const { random } = context
  const resolved = resolve<JsonSchema>(schema)
  const hinted = random.chance(0.93) ? context.hint(context.name, context.depth) : undefined
  if (hinted !== undefined) return hinted
  if ('const' in resolved) return resolved.const
  if (resolved.enum) return random.pick(resolved.enum)
  const options = resolved.anyOf ?? resolved.oneOf
  if (options) return valueOf(shallow(options, context) ?? {}, context)
  if (resolved.allOf?.[0]) return valueOf(resolved.allOf[0], context)
  return plainValue(resolved, context)
}

/** A random option; at great depth, one that ends soon. */
function shallow(options: readonly JsonSchema[], { random, depth }: ValueContext): JsonSchema | undefined {
  if (depth < deepest) return random.pick(options)
  return (
    options.find((option) => !['object', 'array'].includes(String(resolve<JsonSchema>(option).type))) ??
    options[0]
  )
}

function plainValue(schema: JsonSchema, context: ValueContext): unknown {
  const { random } = context
  const type = (typeof schema.type === 'string' ? schema.type : random.pick(schema.type ?? [])) ?? 'any'
  switch (type) {
    case 'string':
      return textOf(schema, random)
    case 'integer':
    case 'number':
      return numberOf(schema, random, type)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return listOf(schema, context)
    case 'object':
      return objectOf(schema, context)
    default:
      return anyJson(random)
  }
}

function objectOf(schema: JsonSchema, context: ValueContext): Record<string, unknown> {
  const { random, depth } = context
  const required = new Set(schema.required)
  const wanted = depth > deepest ? 0 : 0.4
  const members = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || random.chance(wanted))
    .map(([name, member]) => [name, valueOf(member, { ...context, name, depth: depth + 1 })] as const)
  const free = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const extra = free && depth <= deepest ? Array.from({ length: random.below(3) }, () => wordOf(random)) : []
  const others = extra.map(
    (name) => [name, valueOf(free ?? {}, { ...context, name: '', depth: depth + 1 })] as const,
  )
  return Object.fromEntries([...members, ...others])
}

function listOf(schema: JsonSchema, context: ValueContext): unknown[] {
  const least = schema.minItems ?? 0
  const length = context.depth > deepest ? least : least + context.random.below(4)
  return Array.from({ length }, () =>
    valueOf(schema.items ?? {}, { ...context, name: '', depth: context.depth + 1 }),
  )
}

const words = ['ink', 'oak gall', 'Öl', 'iron', 'The Quick', '墨', 'a-b', 'Zürich', 'news', 'x'] as const

/** A human-readable word. */
export function wordOf(random: Random): string {
  return `${random.pick(words)} ${random.below(1000)}`
}

/** Texts for the patterns in the contract. The first match is used. */
function patternedTexts(random: Random): string[] {
  const number = random.below(100_000)
  return [
    `word-${number}`,
    `camelCase${number}`,
    '2024-02-29',
    '2024-02-29T12:00:00Z',
    `${number}`,
    'latest',
    `ID_${number}`,
  ]
}

function textOf(schema: JsonSchema, random: Random): string {
  const { pattern, minLength = 0, maxLength = 60 } = schema
  const fitting =
    pattern === undefined
      ? wordOf(random)
      : (patternedTexts(random).find((text) => new RegExp(pattern, 'u').test(text)) ?? 'a')
  const text = random.chance(0.05) ? fitting.padEnd(Math.min(maxLength, 600), 'x') : fitting
  return text.slice(0, maxLength).padEnd(minLength, 'x')
}

function numberOf(schema: JsonSchema, random: Random, type: 'integer' | 'number'): number {
  const least = schema.minimum ?? schema.exclusiveMinimum ?? -1000
  const most = Math.min(schema.maximum ?? 1000, Number.MAX_SAFE_INTEGER)
  if (random.chance(0.1)) return random.pick([least, most])
  const near = Math.max(least, 0) + random.below(Math.max(1, Math.min(most - least, 30)))
  return type === 'number' && random.chance(0.3) ? near + 0.5 : near
}

/** Random JSON. */
export function anyJson(random: Random): unknown {
  return random.pick([
    wordOf(random),
    random.below(100),
    true,
    null,
    [wordOf(random)],
    { [wordOf(random)]: { deep: [1, null] } },
  ])
}
