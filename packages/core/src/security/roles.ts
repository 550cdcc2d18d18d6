export { createRole as create } from './create-role.ts'
export { deleteRole as delete } from './delete-role.ts'
export { getRole as get, listRoles as list } from './read-roles.ts'
export { updateRole as update } from './update-role.ts'
