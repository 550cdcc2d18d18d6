import { graphType, mergedByValue, no, ok, plain, type FieldRules } from './rules.ts'

/** A part of an address: a-z, 0-9 and single dashes. */
export const slug: FieldRules<'slug'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && value.length <= 500 && pattern.test(value)
      ? ok(value)
      : no('must be a-z, 0-9 and single dashes'),
  comparison: 'text',
  canBeUnique: true,
  searchText: (value) => value,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('String'),
}

const pattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
