/** Lower-cases ASCII letters only, as `contains` and `startsWith` compare. */
export function smallAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
