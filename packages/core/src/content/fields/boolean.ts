import { graphType, mergedByValue, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds true or false. */
export const boolean: FieldRules<'boolean'> = {
  ...plain,
  check: (value) => (typeof value === 'boolean' ? accept(value) : reject('must be true or false')),
  comparison: 'boolean',
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  convert: (value) => (value === 'true' || value === 'false' ? value === 'true' : value),
  graphql: graphType('Boolean'),
}
