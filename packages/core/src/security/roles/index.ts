export { createRole as create } from './create.ts'
export { deleteRole as delete } from './delete.ts'
export { getRole as get, listRoles as list } from './reads.ts'
export { updateRole as update } from './update.ts'
