import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql'

/** Unix milliseconds: more than an Int holds. */
export const Timestamp = wholeNumber('Timestamp', 'Unix milliseconds')

/** A whole number of up to 53 bits. */
export const Long = wholeNumber('Long', 'A whole number of up to 53 bits')

/** Any JSON value. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  // A copy: it goes to who asked, and what it is a part of may be read again.
  serialize: (value) => structuredClone(value),
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

function wholeNumber(name: string, description: string): GraphQLScalarType<number, number> {
  const whole = (value: unknown): number => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    throw new GraphQLError(`${name} is a whole number of up to 53 bits.`)
  }
  return new GraphQLScalarType<number, number>({
    name,
    description,
    serialize: whole,
    parseValue: whole,
    parseLiteral: (node) => whole(node.kind === Kind.INT ? Number(node.value) : undefined),
  })
}
