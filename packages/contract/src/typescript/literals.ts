/** A text as a TypeScript string literal. */
export function textLiteral(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    // Older compilers treat these two as line terminators.
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `'${inside}'`
}

/** A name as a member of an interface, quoted if needed. */
export function memberText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textLiteral(name)
}

/** The union of some types; `never` if there are none. */
export function oneOf(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ')
}
