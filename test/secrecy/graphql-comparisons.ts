import type { Field } from '@quire/contract'
import { inputIn, namesIn, type Schema } from './graphql-schema.ts'
import { known } from './question-names.ts'

/** The name of a field that items are filtered by: in the schema, and in REST. */
interface Compared {
  readonly name: string
  readonly path: string
}

/** One condition, in its GraphQL and in its REST form. */
export interface Condition {
  readonly inGraph: Record<string, object>
  readonly inRest: Record<string, object>
}

type Fields = readonly Field[]

const combining = new Set(['and', 'or', 'not'])

/**
 * All names in the filter of a type, with their names in REST. Throws for a name that REST does not
 * have.
 */
function comparedIn(schema: Schema, object: string, fields: Fields): readonly Compared[] {
  const paths = new Map(pathsOf(fields).map((path) => [path.replaceAll('.', '_'), path]))
  return namesIn(schema, `${object}_Filter`)
    .filter((name) => !combining.has(name))
    .map((name) => {
      const path = paths.get(name.replace(/^field_/, ''))
      const isMember = Object.hasOwn(known, name) && !name.startsWith('field_')
      if (isMember) return { name, path: name }
      if (path === undefined) throw new Error(`REST has no name for "${name}" of ${object}`)
      return { name, path: `fields.${path}` }
    })
}

function pathsOf(fields: Fields): readonly string[] {
  return fields.flatMap((field) =>
    field.kind === 'group'
      ? pathsOf(field.settings.fields).map((path) => `${field.name}.${path}`)
      : [field.name],
  )
}

/** Every operator of every name, each with one operand. */
export function conditionsIn(schema: Schema, object: string, fields: Fields): readonly Condition[] {
  return comparedIn(schema, object, fields).flatMap(({ name, path }) => {
    const type = inputIn(schema, `${object}_Filter`, name)
    return namesIn(schema, type).map((operator, index) => {
      const condition = { [operator]: operandOf({ path, type, operator }, index) }
      return { inGraph: { [name]: condition }, inRest: { [path]: condition } }
    })
  })
}

interface Operator {
  readonly path: string
  readonly type: string
  readonly operator: string
}

/** Alternates between hidden and visible values. */
function operandOf({ path, type, operator }: Operator, index: number): unknown {
  if (operator === 'exists') return index % 2 === 0
  const texts = (Object.hasOwn(known, path) && known[path]) || ['known', 'nightshade', 'hemlock']
  const values = texts.map((text) => valueOf(type, text))
  return operator === 'in' || operator === 'nin' ? values : values[index % values.length]
}

function valueOf(type: string, text: string): unknown {
  if (type === 'Number_Operators') return Number.isFinite(Number(text)) ? Number(text) : 3
  return type === 'Boolean_Operators' ? text === 'true' : text
}

/** The condition in one of four nested forms, selected by a number. */
export function nested(condition: object, none: object, number: number): object {
  const ways = [condition, { or: [condition, none] }, { not: condition }, { not: { and: [condition] } }]
  return ways[number % ways.length] ?? condition
}

/** Every sort order in the schema, with its REST form. */
export function sortsIn(
  schema: Schema,
  object: string,
  fields: Fields,
): readonly (readonly [string, string])[] {
  const paths = new Map(comparedIn(schema, object, fields).map(({ name, path }) => [name, path]))
  return namesIn(schema, `${object}_Sort`).map((order) => {
    const path = paths.get(order.replace(/_(?:ASC|DESC)$/, '')) ?? ''
    return [order, order.endsWith('_DESC') ? `-${path}` : path]
  })
}
