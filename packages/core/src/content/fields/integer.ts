import { numeric, within, no, type FieldRules } from './rules.ts'

/** A whole number of up to 53 bits. */
export const integer: FieldRules<'integer'> = {
  ...numeric,
  check: (value, bounds) =>
    Number.isSafeInteger(value) ? within(Number(value), bounds) : no('must be an integer'),
  graphql: {
    output: (bounds) => ({ as: 'value', type: fitsInt(bounds) ? 'Int' : 'Long' }),
    input: () => ({ as: 'value', type: 'Long' }),
    hasNullEntries: false,
  },
}

/** Whether the bounds of a field keep its values within an `Int` of GraphQL. */
function fitsInt({ min, max }: { min?: number | undefined; max?: number | undefined }): boolean {
  return min !== undefined && max !== undefined && min >= -mostInt && max <= mostInt
}

const mostInt = 2 ** 31 - 1
