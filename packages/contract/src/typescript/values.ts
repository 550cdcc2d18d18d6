import { innerFields, isScalarField, scalarKindOf, type Field } from '../content/types/fields.ts'
import { comment } from './comment.ts'
import { schemaText } from './json-schema.ts'
import { memberText, oneOf, textLiteral } from './literals.ts'

/** Where a text of types is written. */
export interface TextContext {
  readonly indent: string
  /** Whether the values of localized fields are objects by locale. */
  readonly byLocale: boolean
}

/** The members of an interface for some fields, each on its own lines. */
export function membersText(fields: readonly Field[], context: TextContext): string {
  const { indent } = context
  return fields
    .map(
      (field) =>
        `${aboutField(field, indent)}${indent}${memberText(field.name)}?: ${memberValueText(field, context)}\n`,
    )
    .join('')
}

/** The type of a value, or of the values by locale of a localized field: none is below another. */
function memberValueText(field: Field, context: TextContext): string {
  const text = valueText(field, context)
  return field.localized && context.byLocale ? `{ [locale: string]: ${text} }` : text
}

function aboutField(field: Field, indent: string): string {
  const note = isScalarField(field) ? scalarKindOf(field).note(field.settings) : ''
  const notes = [sentence(field.label), note, field.required ? 'Required for publishing.' : '']
  return comment([notes.filter(Boolean).join(' '), field.help], indent)
}

function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`
}

function valueText(field: Field, context: TextContext): string {
  const types = valueTypes(field, context)
  const text = typeof types === 'string' ? types : oneOf(types)
  if (!field.list) return text
  return typeof types === 'string' ? `${text}[]` : `(${text})[]`
}

/** The type of a value; a list if it can have one of several types. */
function valueTypes(field: Field, context: TextContext): string | readonly string[] {
  if (isScalarField(field)) return scalarKindOf(field).typescript(field.settings, writer)
  const inner = innerFields(field)
  const objects = inner.map(({ fields, variant }) => objectText(fields, { ...context, variant }))
  return inner.some(({ variant }) => variant !== null) ? objects : oneOf(objects)
}

const writer = { literal: textLiteral, schema: schemaText }

interface ObjectContext extends TextContext {
  /** The variant, for a block. */
  readonly variant: string | null
}

function objectText(fields: readonly Field[], { indent, variant, byLocale }: ObjectContext): string {
  const inner = `${indent}  `
  const discriminant = variant === null ? '' : `${inner}type: ${textLiteral(variant)}\n`
  const members = discriminant + membersText(fields, { indent: inner, byLocale })
  return members === '' ? 'Record<string, never>' : `{\n${members}${indent}}`
}
