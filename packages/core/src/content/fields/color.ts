import { graphType, mergedByValue, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds a colour such as `#1a2b3c`, with 3, 6 or 8 hexadecimal digits. */
export const color: FieldRules<'color'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && pattern.test(value)
      ? accept(value)
      : reject('must be a colour like #1a2b3c'),
  comparison: 'text',
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('String'),
}

const pattern = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i
