/**
 * The values of a header with weights, such as `Accept` (RFC 9110 §12.4.2), in lower case. A value
 * without a weight has weight 1.
 */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const entries = header.split(',').map((part): [string, number] => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    return [name, weight === undefined ? 1 : Number(weight) || 0]
  })
  return new Map(entries)
}
