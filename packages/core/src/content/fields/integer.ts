import { numeric, within, reject, type FieldRules } from './rules.ts'

/** A field that holds an integer of up to 53 bits. */
export const integer: FieldRules<'integer'> = {
  ...numeric,
  check: (value, bounds) =>
    Number.isSafeInteger(value) ? within(Number(value), bounds) : reject('must be an integer'),
  graphql: {
    output: (bounds) => ({ as: 'value', type: fitsInt(bounds) ? 'Int' : 'Long' }),
    input: () => ({ as: 'value', type: 'Long' }),
    hasNullEntries: false,
  },
}

/** Whether every value within the bounds fits GraphQL's 32-bit `Int`. */
function fitsInt({ min, max }: { min?: number | undefined; max?: number | undefined }): boolean {
  return min !== undefined && max !== undefined && min >= -maxInt && max <= maxInt
}

const maxInt = 2 ** 31 - 1
