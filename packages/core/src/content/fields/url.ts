import { graphType, mergedByValue, no, ok, plain, type FieldRules } from './rules.ts'

/** An http or https address. */
export const url: FieldRules<'url'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && isWebAddress(value) ? ok(value) : no('must be an http or https address'),
  comparison: 'text',
  canBeUnique: true,
  searchText: (value) => value,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('String'),
}

function isWebAddress(text: string): boolean {
  if (text.length > 2048 || !URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'http:' || protocol === 'https:'
}
