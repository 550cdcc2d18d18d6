/** A text as TypeScript writes it. */
export function textLiteral(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    // Older compilers take these two for ends of a line.
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `'${inside}'`
}

/** A name as a member of an interface has it. */
export function memberText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textLiteral(name)
}

/** One of some types; without any, nothing. */
export function oneOf(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ')
}
