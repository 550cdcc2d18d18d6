/** The parameters of an address that are texts and not empty. What is not named is left out. */
export function textMembers<N extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly N[],
): { [M in N]?: string } {
  const known: { [M in N]?: string } = {}
  for (const name of names) {
    const value = search[name]
    // The router reads what looks like a number as one.
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) known[name] = String(value)
  }
  return known
}
