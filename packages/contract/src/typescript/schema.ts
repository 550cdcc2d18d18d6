import { innerFields, isScalarField, scalarKindOf, type Field } from '../content/types/fields.ts'
import type { TypeDefinition } from '../content/schema/shapes.ts'
import { defaultApiName, TypeSettings } from '../content/types/shapes.ts'
import { memberText, textLiteral } from './literals.ts'

/** The input of `schemaText`. */
export interface SchemaTextOptions {
  /** In any order: they are written in order of their names. */
  readonly types: readonly TypeDefinition[]
}

/**
 * A TypeScript module that defines content types with `defineType` and exports them as `schema`. It
 * leaves out what is a default. `schema.plan` of its types changes nothing.
 */
export function schemaText({ types }: SchemaTextOptions): string {
  const sorted = types.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const names = constantNames(sorted)
  const definitions = sorted.map(
    (type, index) => `export const ${names[index]} = defineType(${literal(writtenType(type), '')})\n`,
  )
  return [
    "import { defineSchema, defineType } from '@quire/contract/schema'\n",
    ...definitions,
    `export const schema = defineSchema([${names.join(', ')}])\n`,
  ].join('\n')
}

/** A unique constant for each type: `articleType`. */
function constantNames(types: readonly TypeDefinition[]): string[] {
  const taken = new Set<string>()
  return types.map(({ apiName }) => {
    const base = apiName.charAt(0).toLowerCase() + apiName.slice(1)
    let name = `${base}Type`
    for (let number = 2; taken.has(name); number += 1) name = `${base}Type${number}`
    taken.add(name)
    return name
  })
}

type Written = Readonly<Record<string, unknown>>

function writtenType({ name, displayName, apiName, description, settings, fields }: TypeDefinition): Written {
  return {
    name,
    ...(displayName !== name && { displayName }),
    ...(apiName !== defaultApiName(name) && { apiName }),
    ...(description !== '' && { description }),
    ...filled('settings', different(settings, TypeSettings.parse({}))),
    fields: fields.map(writtenField),
  }
}

const defaults = {
  label: '',
  required: false,
  unique: false,
  list: false,
  help: '',
  searchable: true,
  localized: false,
  fallbackCounts: false,
  maxItems: undefined,
  default: undefined,
}

function writtenField(field: Field): Written {
  const { name, kind, settings: _settings, ...rest } = field
  const own = { name, kind, ...different(rest, defaults) }
  return { ...own, ...filled('settings', writtenSettings(field)) }
}

function writtenSettings(field: Field): Written {
  if (isScalarField(field)) return different(field.settings, scalarKindOf(field).settings.parse({}))
  const settings = { settings: structuredClone(field.settings) as unknown as Written }
  for (const { path, fields } of innerFields(field)) {
    const [last = '', ...above] = path.split('.').toReversed()
    const holder = above.reduceRight<object>((at, name) => Reflect.get(at, name), settings)
    Reflect.set(holder, last, fields.map(writtenField))
    if (Reflect.get(holder, 'label') === '') Reflect.deleteProperty(holder, 'label')
  }
  return settings.settings
}

function filled(name: string, value: Written): Written {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

/** The members that are not as by default. */
function different(value: object, byDefault: object): Written {
  const known: Readonly<Record<string, unknown>> = { ...byDefault }
  return Object.fromEntries(
    Object.entries(value).filter(([name, entry]) => JSON.stringify(entry) !== JSON.stringify(known[name])),
  )
}

/** Columns of a line that is not broken. */
const width = 110

/** JSON as a TypeScript literal, on one line if it fits. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((entry: unknown) => (deep: string) => literal(entry, deep))
    : Object.entries(value).map(
        ([name, entry]) =>
          (deep: string) =>
            `${memberText(name)}: ${literal(entry, deep)}`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const space = isList ? '' : ' '
  const line = `${open}${space}${parts.map((part) => part(inner)).join(', ')}${space}${close}`
  if (!line.includes('\n') && indent.length + line.length <= width) return line
  return `${open}\n${parts.map((part) => `${inner}${part(inner)},\n`).join('')}${indent}${close}`
}
