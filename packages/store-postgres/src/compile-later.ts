/** Calls `make` on first use and caches the result. */
export function compileLater<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
