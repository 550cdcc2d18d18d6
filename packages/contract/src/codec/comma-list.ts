/**
 * A list as comma-separated text. `,` and `\` inside members are written as `\,` and `\\`. The
 * empty text is the empty list, and a single `\` is the list of one empty text, so that every list
 * survives the round trip.
 */
export function joinList(members: readonly string[]): string {
  if (members.length === 1 && members[0] === '') return '\\'
  return members.map((member) => member.replaceAll(/[\\,]/g, '\\$&')).join(',')
}

/**
 * The members of a text that `joinList` made. A `\` before any other character means that
 * character.
 */
export function splitList(text: string): string[] {
  if (text === '') return []
  const members = ['']
  for (const [part] of text.matchAll(/[^\\,]+|\\[^]?|,/g)) {
    if (part === ',') members.push('')
    else members.push(`${members.pop()}${part.replace(/^\\/, '')}`)
  }
  return members
}
