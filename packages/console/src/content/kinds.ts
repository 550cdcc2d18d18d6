import type { Field } from '@quire/client'
import type { ComponentType } from 'react'
import {
  BooleanInput,
  ColorInput,
  DateInput,
  GeoInput,
  JsonInput,
  NumberInput,
  PlainInput,
  TextInput,
  TimeInput,
  type InputProps,
} from './inputs.tsx'
import { AssetInput, CategoryInput, ReferenceInput } from './pick.tsx'
import { RichTextInput } from './rich-text.tsx'

type FieldOf<K extends Field['kind']> = Extract<Field, { readonly kind: K }>
type NestingKind = 'group' | 'union'

/** A field with fields of its own. */
export type NestingField = FieldOf<NestingKind>
/** A field without fields of its own. */
export type ScalarField = Exclude<Field, NestingField>

interface Scalar<F extends Field> {
  /** The control of one value. */
  readonly Input: ComponentType<InputProps<F>>
  /** How a list shows a value in a column; null: it is too long for one. */
  readonly column: 'text' | 'time' | 'item' | null
}

const scalars: { readonly [K in ScalarField['kind']]: Scalar<FieldOf<K>> } = {
  text: { Input: TextInput, column: 'text' },
  richText: { Input: RichTextInput, column: null },
  number: { Input: NumberInput, column: 'text' },
  integer: { Input: NumberInput, column: 'text' },
  boolean: { Input: BooleanInput, column: 'text' },
  date: { Input: DateInput, column: 'text' },
  datetime: { Input: TimeInput, column: 'time' },
  reference: { Input: ReferenceInput, column: 'item' },
  asset: { Input: AssetInput, column: 'item' },
  category: { Input: CategoryInput, column: null },
  url: { Input: PlainInput, column: 'text' },
  email: { Input: PlainInput, column: 'text' },
  slug: { Input: PlainInput, column: 'text' },
  color: { Input: ColorInput, column: 'text' },
  geo: { Input: GeoInput, column: null },
  json: { Input: JsonInput, column: null },
}

/** Whether a field has no fields of its own. */
export function isScalar(field: Field): field is ScalarField {
  return Object.hasOwn(scalars, field.kind)
}

/** What this page knows of the kind of a field. */
export function scalarOf(field: ScalarField): Scalar<Field> {
  // The table has an entry for each kind, so this entry fits the field.
  return scalars[field.kind] as Scalar<Field>
}

/** How a list shows the values of a field in a column; null: not at all. */
export function columnOf(field: Field): Scalar<Field>['column'] {
  return field.list || !isScalar(field) ? null : scalarOf(field).column
}
