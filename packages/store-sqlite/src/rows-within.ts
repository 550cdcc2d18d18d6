/** Reads rows up to and including the one that brings their texts above `most` characters. */
export function rowsWithin<R extends readonly unknown[]>(rows: Iterable<R>, most: number): R[] {
  const read: R[] = []
  let left = most
  for (const row of rows) {
    read.push(row)
    for (const value of row) if (typeof value === 'string') left -= value.length
    if (left < 0) break
  }
  return read
}
