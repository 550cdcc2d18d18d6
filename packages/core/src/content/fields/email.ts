import { graphType, mergedByValue, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds an e-mail address. */
export const email: FieldRules<'email'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && isEmail(value) ? accept(value) : reject('must be an e-mail address'),
  comparison: 'text',
  canBeUnique: true,
  searchText: (value) => value,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('String'),
}

// Takes linear time. Requires one @ with text before it, a dot inside the domain, no white space,
// and the lengths of RFC 5321.
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  const domain = text.slice(at + 1)
  if (at < 1 || at > 64 || text.length > 254 || domain.includes('@') || /\s/.test(text)) return false
  return domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.')
}
