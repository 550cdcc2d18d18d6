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
  readonly column: 'text' | 'time' | 'item' | 'category' | null
  /** How lists can be filtered by it. */
  readonly operators: readonly Operator[]
}

/** How a value is compared: the operators of the API, and `absent` for items without a value. */
export const operators = ['contains', 'eq', 'ne', 'gte', 'lte', 'exists', 'absent'] as const

/** How a value is compared. */
export type Operator = (typeof operators)[number]

const presence = ['exists', 'absent'] as const
const texts = ['contains', 'eq', 'ne', ...presence] as const
const amounts = ['eq', 'gte', 'lte', ...presence] as const
const times = ['gte', 'lte', ...presence] as const
const choices = ['eq', 'ne', ...presence] as const

const scalars: { readonly [K in ScalarField['kind']]: Scalar<FieldOf<K>> } = {
  text: { Input: TextInput, column: 'text', operators: texts },
  richText: { Input: RichTextInput, column: null, operators: [] },
  number: { Input: NumberInput, column: 'text', operators: amounts },
  integer: { Input: NumberInput, column: 'text', operators: amounts },
  boolean: { Input: BooleanInput, column: 'text', operators: choices },
  date: { Input: DateInput, column: 'text', operators: amounts },
  datetime: { Input: TimeInput, column: 'time', operators: times },
  reference: { Input: ReferenceInput, column: 'item', operators: choices },
  asset: { Input: AssetInput, column: 'item', operators: choices },
  category: { Input: CategoryInput, column: 'category', operators: choices },
  url: { Input: PlainInput, column: 'text', operators: texts },
  email: { Input: PlainInput, column: 'text', operators: texts },
  slug: { Input: PlainInput, column: 'text', operators: texts },
  color: { Input: ColorInput, column: 'text', operators: choices },
  geo: { Input: GeoInput, column: null, operators: [] },
  json: { Input: JsonInput, column: null, operators: [] },
}

/** What people call a field. */
export function labelOf({ label, name }: Pick<Field, 'label' | 'name'>): string {
  return label === '' ? name : label
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
