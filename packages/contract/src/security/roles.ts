import { z } from 'zod'
import { listOf } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { exampleRole } from './examples.ts'
import { listing, whole } from './inputs.ts'
import { Role, RoleInput } from './shapes.ts'

/** What a patch may send. */
const RolePatch = z.strictObject({
  ...whole,
  name: RoleInput.shape.name.optional(),
  groups: RoleInput.shape.groups.unwrap().optional(),
  users: RoleInput.shape.users.unwrap().optional(),
  repos: RoleInput.shape.repos.unwrap().optional(),
  type: RoleInput.shape.type.unwrap().optional(),
  description: RoleInput.shape.description.unwrap().optional(),
  bundles: RoleInput.shape.bundles.unwrap().optional(),
  permissions: RoleInput.shape.permissions.optional().describe('Replaces the whole'),
  overrides: RoleInput.shape.overrides.optional().describe('Replaces the whole'),
})

/** Roles (specification 2.6). */
export const roles = {
  list: endpoint({
    binding: 'GET /api/security/roles',
    summary: 'List roles',
    permission: 'security.roles.view',
    input: z.strictObject(listing),
    output: listOf(Role),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleRole] } },
  }),
  get: endpoint({
    binding: 'GET /api/security/roles/{id}',
    summary: 'Read a role',
    permission: 'security.roles.view',
    input: z.strictObject(whole),
    output: Role,
    errors: ['not_found'],
    example: { input: { id: exampleRole.id }, output: exampleRole },
  }),
  create: endpoint({
    binding: 'POST /api/security/roles',
    summary: 'Create a role',
    description: 'Nobody grants what they do not hold: a key that the caller lacks is 403.',
    permission: 'security.roles.update',
    input: RoleInput,
    output: Role,
    success: 201,
    errors: ['name_taken', 'idempotency_mismatch'],
    example: { input: { name: 'Magazine editors', bundles: ['bundle.editor'] }, output: exampleRole },
  }),
  update: endpoint({
    binding: 'PATCH /api/security/roles/{id}',
    summary: 'Change a role',
    permission: 'security.roles.update',
    input: RolePatch,
    output: Role,
    errors: ['not_found', 'name_taken', 'last_administrator', 'precondition_failed'],
    example: { input: { id: exampleRole.id, description: 'Everybody at the desk' }, output: exampleRole },
  }),
  delete: endpoint({
    binding: 'DELETE /api/security/roles/{id}',
    summary: 'Delete a role that nobody has',
    permission: 'security.roles.update',
    input: z.strictObject(whole),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'role_in_use', 'precondition_failed'],
    example: { input: { id: exampleRole.id } },
  }),
}
