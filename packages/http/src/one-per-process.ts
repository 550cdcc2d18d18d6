/**
 * The value of a key in this process, created on the first call. Development servers load modules
 * again after every change: an engine that a module creates itself would be opened again and again,
 * while the old ones hold their connections.
 * @example
 * export const quire = onePerProcess('quire', () => createQuire({ store, baseUrl }))
 */
export function onePerProcess<T>(key: string, create: () => T): T {
  const values = globalThis as { [symbol: symbol]: unknown }
  const symbol = Symbol.for(`@quire/http ${key}`)
  values[symbol] ??= create()
  // Only this function writes to the symbol, and each key has one type.
  return values[symbol] as T
}
