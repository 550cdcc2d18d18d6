/** Sorted texts: for each how many characters it shares with the one before, and the rest of it. */
export type FrontCoded = readonly (number | string)[]

/** Texts in which many begin as the one before. Half the size for ids and for addresses of one section (measured). */
export function frontCoded(sorted: readonly string[]): FrontCoded {
  let before = ''
  return sorted.flatMap((text) => {
    const shared = sharedLength(before, text)
    before = text
    return [shared, text.slice(shared)]
  })
}

/** The texts; null when they are not front-coded. */
export function fromFrontCoded(coded: readonly unknown[]): string[] | null {
  const texts: string[] = []
  let before = ''
  for (let index = 0; index < coded.length; index += 2) {
    const shared = coded[index]
    const rest = coded[index + 1]
    if (typeof shared !== 'number' || typeof rest !== 'string') return null
    if (!Number.isSafeInteger(shared) || shared < 0 || shared > before.length) return null
    before = before.slice(0, shared) + rest
    texts.push(before)
  }
  return texts
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}
