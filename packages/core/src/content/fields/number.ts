import { numeric, within, graphType, reject, type FieldRules } from './rules.ts'

/** A field that holds any number that JSON can represent. */
export const number: FieldRules<'number'> = {
  ...numeric,
  check: (value, bounds) => (typeof value === 'number' ? within(value, bounds) : reject('must be a number')),
  graphql: graphType('Float'),
}
