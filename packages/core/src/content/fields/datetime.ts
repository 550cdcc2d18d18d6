import { numeric, within, graphType, no, type FieldRules } from './rules.ts'

/** A moment, in Unix milliseconds. */
export const datetime: FieldRules<'datetime'> = {
  ...numeric,
  check: (value, bounds) =>
    Number.isSafeInteger(value) ? within(Number(value), bounds) : no('must be Unix milliseconds'),
  graphql: graphType('Timestamp'),
}
