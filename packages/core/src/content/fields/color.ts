import { graphType, mergedByValue, no, ok, plain, type FieldRules } from './rules.ts'

/** A colour like \`#1a2b3c\`. */
export const color: FieldRules<'color'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && pattern.test(value) ? ok(value) : no('must be a colour like #1a2b3c'),
  comparison: 'text',
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('String'),
}

const pattern = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i
