/**
 * A unique interface name for each `apiName`. If names differ only in case, the later ones are
 * numbered.
 */
export function interfaceNames(apiNames: readonly string[]): string[] {
  const accepted = new Set<string>()
  return apiNames.map((apiName) => {
    const name = freeName(apiName.charAt(0).toUpperCase() + apiName.slice(1), accepted)
    accepted.add(name)
    return name
  })
}

function freeName(base: string, accepted: ReadonlySet<string>): string {
  let name = `${base}Fields`
  for (let number = 2; accepted.has(name); number += 1) name = `${base}${number}Fields`
  return name
}
