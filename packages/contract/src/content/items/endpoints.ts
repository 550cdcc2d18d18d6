import { itemReads } from './reads.ts'
import { itemStates } from './states.ts'
import { itemWrites } from './writes.ts'

/** All operations on items. */
export const items = { ...itemReads, ...itemWrites, ...itemStates }
