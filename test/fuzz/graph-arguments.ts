import { hostileValue } from './hostile.ts'
import { toJson } from './json-text.ts'
import type { Random } from './random.ts'

/** What variables of a document are declared and sent as, by name. */
export type Variables = Map<string, Variable>

interface Variable {
  readonly type: string
  /** What it is where it is not sent, in the language of GraphQL. */
  readonly preset: string
  readonly value: unknown
}

/** Arguments by name; undefined: not given. */
export type Arguments = Readonly<Record<string, unknown>>

/** Written as it is: names of an enum. */
export class Bare {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value with the type that it has when it comes in a variable. */
export class Typed {
  readonly type: string
  readonly value: unknown
  constructor(type: string, value: unknown) {
    this.type = type
    this.value = value
  }
}

/** The id of an item. */
export class Id extends Typed {
  constructor(id: string) {
    super('ID!', id)
  }
}

interface Varying {
  readonly random: Random
  readonly variables: Variables
}

/** Arguments between parentheses, some of them as variables; nothing when there are none. */
export function args(asking: Varying, given: Arguments): string {
  const written = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${argument(asking, value)}`],
  )
  return written.length === 0 ? '' : `(${written.join(', ')})`
}

const variableTypes: Readonly<Record<string, string>> = {
  string: 'String',
  number: 'Int',
  boolean: 'Boolean',
}

function argument({ random, variables }: Varying, given: unknown): string {
  if (given instanceof Bare) return given.text
  const value = given instanceof Typed ? given.value : given
  const type = given instanceof Typed ? given.type : variableTypes[typeof given]
  if (type === undefined || !random.chance(0.25)) return literal(value)
  const name = `v${variables.size}`
  variables.set(name, {
    type,
    preset: literal(value),
    value: random.chance(0.1) ? hostileValue(random) : value,
  })
  return `$${name}`
}

/** A value in the language of GraphQL: as JSON, but for the names of members. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return toJson(value ?? null)
  const written = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`)
  return `{ ${written.join(', ')} }`
}
