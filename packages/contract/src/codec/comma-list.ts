/**
 * A list as one text: members stand between commas, `,` and `\` in them as `\,` and `\\`.
 * The empty text is the empty list, a lone `\` the list of one empty text, so that every list comes back as it was.
 */
export function joinList(members: readonly string[]): string {
  if (members.length === 1 && members[0] === '') return '\\'
  return members.map((member) => member.replaceAll(/[\\,]/g, '\\$&')).join(',')
}

/** The members of a text that `joinList` made. A `\` before any other character stands for that character. */
export function splitList(text: string): string[] {
  if (text === '') return []
  const members = ['']
  for (const [part] of text.matchAll(/[^\\,]+|\\[^]?|,/g)) {
    if (part === ',') members.push('')
    else members.push(`${members.pop()}${part.replace(/^\\/, '')}`)
  }
  return members
}
