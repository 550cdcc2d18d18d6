export { createGroup as create } from './create.ts'
export { deleteGroup as delete } from './delete.ts'
export { getGroup as get, listGroups as list } from './reads.ts'
export { updateGroup as update } from './update.ts'
