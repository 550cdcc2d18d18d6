import { hostileValue } from './hostile.ts'
import { toJson } from './json-text.ts'
import type { Random } from './random.ts'

/** The declarations and values of a document's variables, by name. */
export type Variables = Map<string, Variable>

interface Variable {
  readonly type: string
  /** The default in GraphQL syntax, for a variable that is not sent. */
  readonly preset: string
  readonly value: unknown
}

/** Arguments by name; undefined values are left out. */
export type Arguments = Readonly<Record<string, unknown>>

/** Written without quotes: the name of an enum value. */
export class Bare {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value with its type as a variable. */
export class Typed {
  readonly type: string
  readonly value: unknown
  constructor(type: string, value: unknown) {
    this.type = type
    this.value = value
  }
}

export class Id extends Typed {
  constructor(id: string) {
    super('ID!', id)
  }
}

interface Varying {
  readonly random: Random
  readonly variables: Variables
}

/** Arguments in parentheses, some of them as variables; empty if there are none. */
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

/** A value in GraphQL syntax: like JSON, but with unquoted member names. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return toJson(value ?? null)
  const written = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`)
  return `{ ${written.join(', ')} }`
}
