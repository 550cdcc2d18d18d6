import { graphType, mergedByValue, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds an http or https URL. */
export const url: FieldRules<'url'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && isWebAddress(value) ? accept(value) : reject('must be an http or https URL'),
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
