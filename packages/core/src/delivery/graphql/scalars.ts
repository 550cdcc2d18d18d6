import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql'

/** Unix milliseconds, which do not fit in an Int. */
export const Timestamp = wholeNumber({
  name: 'Timestamp',
  description: 'Unix milliseconds',
  specifiedByURL: 'https://tc39.es/ecma262/#sec-time-values-and-time-range',
})

/** A whole number of up to 53 bits, where an Int has 32. */
export const Long = wholeNumber({
  name: 'Long',
  description: 'A whole number of up to 53 bits',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
})

/** Any JSON value. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  // A copy, because the caller gets the result and the stored value may be read again.
  serialize: (value) => structuredClone(value),
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

interface ScalarInfo {
  readonly name: string
  readonly description: string
  readonly specifiedByURL: string
}

function wholeNumber(about: ScalarInfo): GraphQLScalarType<number, number> {
  const whole = (value: unknown): number => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    throw new GraphQLError(`${about.name} must be a whole number of up to 53 bits.`)
  }
  return new GraphQLScalarType<number, number>({
    ...about,
    serialize: whole,
    parseValue: whole,
    parseLiteral: (node) => whole(node.kind === Kind.INT ? Number(node.value) : undefined),
  })
}
