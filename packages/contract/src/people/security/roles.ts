import { crud, patchOf } from '../../crud.ts'
import { exampleRole } from './examples.ts'
import { whole } from './inputs.ts'
import { Role, RoleInput } from './shapes.ts'

const patch = patchOf(RoleInput.shape)

/** Roles (specification 2.6). */
export const roles = crud({
  path: '/api/security/roles',
  on: whole,
  one: 'a role',
  many: 'roles',
  view: { key: 'security.roles.view', on: 'global' },
  write: { key: 'security.roles.update', on: 'global' },
  output: Role,
  at: { id: exampleRole.id },
  example: exampleRole,
  create: {
    description: 'You can only grant permissions that you have: any other key is 403.',
    input: RoleInput,
    example: { name: 'Magazine editors', bundles: ['bundle.editor'] },
  },
  update: {
    withoutRoom: true,
    input: {
      ...patch,
      permissions: patch.permissions.describe('Replaces all permissions'),
      overrides: patch.overrides.describe('Replaces all overrides'),
    },
    errors: ['not_found', 'name_taken', 'last_administrator', 'precondition_failed'],
    example: { description: 'Everybody at the desk' },
    output: exampleRole,
  },
  delete: {
    summary: 'Delete a role that nobody has',
    errors: ['not_found', 'role_in_use', 'precondition_failed'],
  },
})
