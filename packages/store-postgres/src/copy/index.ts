export type { CopyLocation } from './copy-record.ts'
export { type CopyOptions, type PostgresCopy, openPostgresCopied, openPostgresCopy } from './open-copy.ts'
export type { RowsToTake } from './take-rows.ts'
