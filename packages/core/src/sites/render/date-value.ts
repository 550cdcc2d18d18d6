const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i

/** A value as the moment it names: numbers are Unix milliseconds, texts ISO 8601 (UTC when they name no zone); null for anything else. */
export function momentOf(value: unknown): Date | null {
  if (typeof value === 'number') return valid(new Date(value))
  if (typeof value !== 'string') return null
  const match = iso.exec(value)
  if (match === null) return null
  // A day alone is in UTC by ECMA-262 already.
  const isLocal = value.length > 10 && match.groups?.['zone'] === undefined
  return valid(new Date(isLocal ? `${value}Z` : value))
}

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date
}
