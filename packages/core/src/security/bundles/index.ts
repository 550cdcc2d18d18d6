export { createBundle as create } from './create.ts'
export { deleteBundle as delete } from './delete.ts'
export { getBundle as get, listBundles as list } from './reads.ts'
export { updateBundle as update } from './update.ts'
