/** Where a database is, and how much of a disk it may use. */
export interface SqliteOptions {
  /**
   * The database file; created when it is missing. `-wal`, `-shm` and `.lock` files are next to it.
   */
  readonly file: string
  /**
   * The maximum size of the file in bytes, in steps of a page. Writes beyond it are refused as
   * `full`; reads still work. Default: the size of the disk.
   */
  readonly maxBytes?: number
  /**
   * Bytes to keep free on the disk of the file. While fewer are free, `requireRoom` refuses. Never
   * more than 5 % of the disk.
   *
   * @default 1_073_741_824
   */
  readonly minFreeBytes?: number
  /**
   * Whether a file next to the database, `.reserve`, reserves space, so that the database can be
   * opened and rows deleted on a full disk: 8 MiB, or 1 % of the disk.
   *
   * @default false
   */
  readonly reservesSpace?: boolean
}
