import { itemReads } from './reads.ts'
import { itemStates } from './states.ts'
import { itemWrites } from './writes.ts'

/** Every operation of items. */
export const items = { ...itemReads, ...itemWrites, ...itemStates }
