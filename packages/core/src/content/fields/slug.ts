import { graphType, mergedByValue, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds one segment of a URL: a-z, 0-9 and single dashes. */
export const slug: FieldRules<'slug'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && value.length <= 500 && pattern.test(value)
      ? accept(value)
      : reject('must be a-z, 0-9 and single dashes'),
  comparison: 'text',
  canBeUnique: true,
  searchText: (value) => value,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('String'),
}

const pattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
