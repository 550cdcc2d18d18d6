import { graphType, mergedByValue, no, ok, plain, type FieldRules } from './rules.ts'

/** An e-mail address. */
export const email: FieldRules<'email'> = {
  ...plain,
  check: (value) =>
    typeof value === 'string' && isEmail(value) ? ok(value) : no('must be an e-mail address'),
  comparison: 'text',
  canBeUnique: true,
  searchText: (value) => value,
  isProse: false,
  merge: mergedByValue,
  graphql: graphType('String'),
}

// Linear: one @, something before it, a dot within what follows, no blanks (RFC 5321 lengths).
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  const domain = text.slice(at + 1)
  if (at < 1 || at > 64 || text.length > 254 || domain.includes('@') || /\s/.test(text)) return false
  return domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.')
}
