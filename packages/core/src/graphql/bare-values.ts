/** The same values without what every object inherits: graphql reads a member `toString` of a variable that has none from there. */
export function bareValues(values: Readonly<Record<string, unknown>>): { readonly [name: string]: unknown } {
  const bare: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(values)) bare[name] = bareValue(value)
  return bare
}

function bareValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareValue)
  return typeof value === 'object' && value !== null ? bareValues({ ...value }) : value
}
