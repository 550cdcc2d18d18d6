/**
 * A unique interface name for each `apiName`. If names differ only in case, the later ones are
 * numbered.
 */
export function interfaceNames(apiNames: readonly string[]): string[] {
  const accepted = new Set<string>()
  return apiNames.map((apiName) => {
    const name = freeName(capital(apiName), accepted)
    accepted.add(name)
    return name
  })
}

/** A word with a capital at its beginning. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function freeName(base: string, accepted: ReadonlySet<string>): string {
  let name = `${base}Fields`
  for (let number = 2; accepted.has(name); number += 1) name = `${base}${number}Fields`
  return name
}
