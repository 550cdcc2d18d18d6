import { graphType, mergedByValue, no, ok, plain, type FieldRules } from './rules.ts'

/** True or false. */
export const boolean: FieldRules<'boolean'> = {
  ...plain,
  check: (value) => (typeof value === 'boolean' ? ok(value) : no('must be true or false')),
  comparison: 'boolean',
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('Boolean'),
}
