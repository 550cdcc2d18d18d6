export { createType as create } from './create.ts'
export { deleteType as delete } from './delete.ts'
export { lockType as lock, unlockType as unlock } from './lock.ts'
export { getType as get, listTypes as list } from './reads.ts'
