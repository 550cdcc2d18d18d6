import { numeric, within, graphType, reject, type FieldRules } from './rules.ts'

/** A field that holds a point in time, in Unix milliseconds. */
export const datetime: FieldRules<'datetime'> = {
  ...numeric,
  check: (value, bounds) =>
    Number.isSafeInteger(value) ? within(Number(value), bounds) : reject('must be Unix milliseconds'),
  graphql: graphType('Timestamp'),
}
