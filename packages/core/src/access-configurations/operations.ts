export { deleteAccess as delete } from './delete.ts'
export { getAccess as get, listAccess as list } from './reads.ts'
