import { memberText, oneOf, textLiteral } from '../literals.ts'
import { docText } from './doc-text.ts'
import { custom, type NamedShape, type NameOf } from './named.ts'
import { defOf, descriptionOf, isJson, mayBeAbsent, type Direction, type Schema } from './schemas.ts'

/** How shapes are written: which have names, and how these are written where they are used. */
export interface Writing {
  readonly direction: Direction
  readonly nameOf: NameOf
  /** Returns the name to write for a named shape, and may take note of it. */
  readonly refer: (shape: NamedShape, direction: Direction) => string
  /** The type that a list is, such as `ListOf<Item>`; undefined if the shape is no list. */
  readonly listText: (schema: Schema, writing: Writing) => string | undefined
}

/** The TypeScript type of a shape, where it is used. */
export function typeText(schema: Schema, writing: Writing, indent = ''): string {
  const named = writing.nameOf(schema)
  if (named) return writing.refer(named, writing.direction)
  return writing.listText(schema, writing) ?? bodyText(schema, writing, indent)
}

/** The same for the definition of a shape that has a name. */
export function bodyText(schema: Schema, writing: Writing, indent = ''): string {
  const types = typesOf(schema, writing, indent)
  if (types.includes('unknown')) return 'unknown'
  // A literal adds nothing to all texts.
  return oneOf(types.filter((type) => !type.startsWith("'") || !types.includes('string')))
}

type Definition = ReturnType<typeof defOf>
type TypeOfSchema = Definition['type']

/** Schemas whose TypeScript type has the same name. */
const plain: ReadonlySet<string> = new Set<TypeOfSchema>([
  'string',
  'number',
  'boolean',
  'null',
  'undefined',
  'unknown',
])

interface Context {
  readonly schema: Schema
  readonly writing: Writing
  readonly indent: string
}

/** The types of each kind of schema: those of a union, or only one. */
const writers: {
  readonly [T in TypeOfSchema]?: (
    def: Extract<Definition, { type: T }>,
    context: Context,
  ) => readonly string[]
} = {
  literal: (def) => def.values.map(literalText),
  enum: (def) => Object.values(def.entries).map(literalText),
  custom: (def) => [customText(def)],
  object: (_, { schema, writing, indent }) => [objectText(schema, writing, indent)],
  array: (def, context) => [listed(textAt(def.element, context), defOf(def.element).type === 'lazy')],
  record: (def, context) => {
    const keys = defOf(def.keyType).type === 'string' ? 'string' : textAt(def.keyType, context)
    const record = `Record<${keys}, ${textAt(def.valueType, context)}>`
    return [def.partial ? `Partial<${record}>` : record]
  },
  union: (def, { writing, indent }) => def.options.flatMap((option) => alternatives(option, writing, indent)),
  lazy: (def, context) => [isJson(context.schema) ? 'JsonValue' : textAt(def.getter(), context)],
  // The transformations of results keep the type. A test compares.
  pipe: (def, context) => {
    const isSent = context.writing.direction === 'input'
    return [textAt(isSent || defOf(def.out).type === 'transform' ? def.in : def.out, context)]
  },
}

function textAt(schema: Schema, { writing, indent }: Context): string {
  return typeText(schema, writing, indent)
}

function typesOf(schema: Schema, writing: Writing, indent: string): readonly string[] {
  const def = defOf(schema)
  if (plain.has(def.type)) return [def.type]
  // The entry for the type of a definition takes this definition.
  const writer = writers[def.type] as ((def: Definition, context: Context) => readonly string[]) | undefined
  return writer?.(def, { schema, writing, indent }) ?? wrapperTypes(schema, writing, indent)
}

/** The types of a shape that says of another one that it may be absent or null. */
function wrapperTypes(schema: Schema, writing: Writing, indent: string): readonly string[] {
  const def = defOf(schema)
  if (!('innerType' in def)) throw new Error(`No TypeScript type for a schema of the type ${def.type}`)
  const inner = alternatives(def.innerType, writing, indent)
  if (def.type === 'nullable') return [...inner, 'null']
  if (def.type === 'optional' || writing.direction === 'input') return [...inner, 'undefined']
  return inner.filter((type) => type !== 'undefined')
}

function alternatives(schema: Schema, writing: Writing, indent: string): readonly string[] {
  return writing.nameOf(schema) ? [typeText(schema, writing, indent)] : typesOf(schema, writing, indent)
}

/** An array. The arrays in a shape that refers to itself are read-only, as its type declares. */
function listed(element: string, refersToItself: boolean): string {
  const isUnion = /^[^<{]* \| /.test(element)
  const list = isUnion ? `(${element})[]` : `${element}[]`
  return refersToItself && element !== 'JsonValue' ? `readonly ${list}` : list
}

function literalText(value: unknown): string {
  return typeof value === 'string' ? textLiteral(value) : String(value)
}

function customText(def: unknown): string {
  const name = custom.get(def)
  if (name === undefined) throw new Error('A custom schema without a TypeScript type')
  return name
}

/** An object with its members, each documented. */
export function objectText(schema: Schema, writing: Writing, indent = ''): string {
  const def = defOf(schema)
  if (def.type !== 'object') throw new Error('Not an object')
  const inner = `${indent}  `
  const members = Object.entries(def.shape).map(([name, member]) =>
    memberOf(name, member, { writing, inner }),
  )
  const others =
    def.catchall && defOf(def.catchall).type !== 'never' ? typeText(def.catchall, writing, inner) : ''
  if (others === 'unknown') members.push(`${inner}[name: string]: unknown\n`)
  if (members.length === 0) return 'Record<string, never>'
  const object = `{\n${members.join('')}${indent}}`
  // An interface would demand that its own members have the type of the others.
  return ['', 'unknown'].includes(others) ? object : `${object} & { [name: string]: ${others} }`
}

interface Within {
  readonly writing: Writing
  readonly inner: string
}

function memberOf(name: string, schema: Schema, { writing, inner }: Within): string {
  const isOptional = mayBeAbsent(schema, writing.direction)
  const doc = docText([descriptionOf(schema), writing.direction === 'input' ? defaultTag(schema) : ''], inner)
  return `${doc}${inner}${memberText(name)}${isOptional ? '?' : ''}: ${typeText(schema, writing, inner)}\n`
}

/** The tag that says the default of a member; empty if it has none, or none that is worth saying. */
function defaultTag(schema: Schema): string {
  const def = defOf(schema)
  if (def.type === 'optional' || def.type === 'nullable') return defaultTag(def.innerType)
  if (def.type !== 'default') return ''
  const { defaultValue } = def
  return typeof defaultValue === 'object' && defaultValue !== null
    ? `@default ${JSON.stringify(defaultValue)}`
    : `@default ${literalText(defaultValue)}`
}
