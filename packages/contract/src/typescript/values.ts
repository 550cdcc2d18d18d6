import type { Field, FieldKind, ScalarField } from '../types/fields.ts'
import { comment } from './comment.ts'
import { schemaText } from './json-schema.ts'
import { memberText, oneOf, textLiteral } from './literals.ts'

/** The members of an interface for some fields, each on lines of its own. */
export function membersText(fields: readonly Field[], indent: string): string {
  return fields
    .map(
      (field) =>
        `${aboutField(field, indent)}${indent}${memberText(field.name)}?: ${valueText(field, indent)}\n`,
    )
    .join('')
}

function aboutField(field: Field, indent: string): string {
  const notes = [sentence(field.label), noteOf(field), field.required ? 'Needed to publish.' : '']
  return comment([notes.filter(Boolean).join(' '), field.help], indent)
}

function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`
}

const kindNotes: Readonly<Partial<Record<FieldKind, string>>> = {
  asset: 'The id of an asset.',
  category: 'The id of a category.',
  date: 'YYYY-MM-DD.',
  datetime: 'Unix milliseconds.',
}

function noteOf(field: Field): string {
  if (field.kind === 'richText') return field.settings.format === 'html' ? 'HTML.' : 'Markdown.'
  if (field.kind !== 'reference') return kindNotes[field.kind] ?? ''
  const { types } = field.settings
  return types.length === 0 ? 'The id of an item.' : `The id of an item of the type ${types.join(', ')}.`
}

function valueText(field: Field, indent: string): string {
  const single = singleText(field, indent)
  if (!field.list) return single
  return isUnion(field) ? `(${single})[]` : `${single}[]`
}

/** Whether the text of a value may be several types. */
function isUnion(field: Field): boolean {
  if (field.kind === 'text') return field.settings.options !== undefined
  return field.kind === 'union' || field.kind === 'json'
}

function singleText(field: Field, indent: string): string {
  if (field.kind === 'group') return objectText(field.settings.fields, { indent })
  if (field.kind !== 'union') return scalarText(field)
  const variants = field.settings.variants.map(({ name, fields }) =>
    objectText(fields, { indent, type: name }),
  )
  return oneOf(variants)
}

interface ObjectPlace {
  readonly indent: string
  /** Of a block: its variant. */
  readonly type?: string
}

function objectText(fields: readonly Field[], { indent, type }: ObjectPlace): string {
  const inner = `${indent}  `
  const discriminant = type === undefined ? '' : `${inner}type: ${textLiteral(type)}\n`
  const members = discriminant + membersText(fields, inner)
  return members === '' ? 'Record<string, never>' : `{\n${members}${indent}}`
}

const scalarTypes: Readonly<Record<Exclude<ScalarField['kind'], 'text' | 'json'>, string>> = {
  richText: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'string',
  datetime: 'number',
  reference: 'string',
  asset: 'string',
  category: 'string',
  url: 'string',
  email: 'string',
  slug: 'string',
  color: 'string',
  geo: '{ lat: number; lng: number }',
}

function scalarText(field: ScalarField): string {
  if (field.kind === 'text')
    return field.settings.options ? oneOf(field.settings.options.map(textLiteral)) : 'string'
  if (field.kind === 'json')
    return field.settings.schema === null ? 'Json' : schemaText(field.settings.schema)
  return scalarTypes[field.kind]
}
