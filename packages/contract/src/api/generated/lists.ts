// Generated from the contract by scripts/generate-api-types.mjs: do not edit.

/** A page of a list */
export interface ListOf<T> {
  /** Number of all entries that match and that the caller may see */
  count: number
  items: T[]
  /** Cursor of the next page: send it as `cursor`. Absent on the last page */
  nextCursor?: string | undefined
}

/** A page of a list that takes `skipCount` */
export interface LongListOf<T> {
  /**
   * Number of all entries that match and that the caller may see. Absent only if the request had
   * `skipCount=true`
   */
  count?: number | undefined
  items: T[]
  /** Cursor of the next page: send it as `cursor`. Absent on the last page */
  nextCursor?: string | undefined
}

/** A page of a list that takes `skipCount` and counts a limited number of entries */
export interface EndlessListOf<T> {
  /**
   * Number of all entries that match and that the caller may see. Absent only if the request had
   * `skipCount=true`
   */
  count?: number | undefined
  items: T[]
  /** Cursor of the next page: send it as `cursor`. Absent on the last page */
  nextCursor?: string | undefined
  /** There may be more entries than `count`: at most 100000 are counted */
  countIsExact?: false | undefined
}
