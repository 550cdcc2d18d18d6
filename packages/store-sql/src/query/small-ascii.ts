/** ASCII letters made small, everything else as it is: how `contains` and `startsWith` compare. */
export function smallAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
