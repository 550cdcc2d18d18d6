import { numeric, within, graphType, no, type FieldRules } from './rules.ts'

/** Any number that JSON can hold. */
export const number: FieldRules<'number'> = {
  ...numeric,
  check: (value, bounds) => (typeof value === 'number' ? within(value, bounds) : no('must be a number')),
  graphql: graphType('Float'),
}
