export { createRepository as create } from './create.ts'
export { deleteRepository as delete } from './delete.ts'
export { getRepository as get, listRepositories as list } from './reads.ts'
export { updateRepository as update } from './update.ts'
