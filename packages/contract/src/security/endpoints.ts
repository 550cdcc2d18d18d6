import { z } from 'zod'
import { Id, listInput, listOf } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { Role, RoleInput, ServiceAccount, ServiceAccountInput, ServiceAccountWithSecret } from './shapes.ts'

const exampleRole: Role = {
  id: 'ROLE_01JB2Q6A1B3D5F7H9K1M3P5R7T',
  searchId: 'role_01jb2q6a1b3d5f7h9k1m3p5r7t',
  name: 'Magazine editors',
  groups: [],
  users: [],
  repos: [],
  type: 'role',
  description: '',
  bundles: ['bundle.editor'],
  permissions: { global: [], repos: {}, sites: {} },
  overrides: { grant: [], revoke: [] },
}

const exampleAccount: ServiceAccount = {
  id: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X',
  name: 'Website',
  description: '',
  roles: [exampleRole.id],
  groups: [],
  expiresAt: null,
  enabled: true,
  secrets: [{ id: 'SECR_01JB2Q6C4F0H2K4N6Q8S0V2X4Z', createdDate: 1_790_000_000_000, lastUsedDate: null }],
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}

const withSecret = { ...exampleAccount, secret: 'the-secret-is-shown-only-in-this-answer-keep-it' }
const listing = { limit: listInput.limit, cursor: listInput.cursor }
const whole = { id: Id }

/** Members of an account or role that a patch may send. */
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
    errors: ['not_found', 'name_taken', 'precondition_failed'],
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

export const serviceAccounts = {
  list: endpoint({
    binding: 'GET /api/security/serviceAccounts',
    summary: 'List service accounts',
    permission: 'security.serviceAccounts.view',
    input: z.strictObject(listing),
    output: listOf(ServiceAccount),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleAccount] } },
  }),
  get: endpoint({
    binding: 'GET /api/security/serviceAccounts/{id}',
    summary: 'Read a service account',
    permission: 'security.serviceAccounts.view',
    input: z.strictObject(whole),
    output: ServiceAccount,
    errors: ['not_found'],
    example: { input: { id: exampleAccount.id }, output: exampleAccount },
  }),
  create: endpoint({
    binding: 'POST /api/security/serviceAccounts',
    summary: 'Create a service account',
    description:
      'The secret is in this answer only: just a keyed hash of it is stored (specification 5.2.4).',
    permission: 'security.serviceAccounts.update',
    input: ServiceAccountInput,
    output: ServiceAccountWithSecret,
    success: 201,
    errors: ['idempotency_mismatch'],
    example: { input: { name: 'Website', roles: [exampleRole.id] }, output: withSecret },
  }),
  update: endpoint({
    binding: 'PATCH /api/security/serviceAccounts/{id}',
    summary: 'Change, disable or enable a service account',
    permission: 'security.serviceAccounts.update',
    input: z.strictObject({
      ...whole,
      name: ServiceAccountInput.shape.name.optional(),
      description: ServiceAccountInput.shape.description.unwrap().optional(),
      roles: ServiceAccountInput.shape.roles.unwrap().optional(),
      groups: ServiceAccountInput.shape.groups.unwrap().optional(),
      expiresAt: ServiceAccountInput.shape.expiresAt.unwrap().optional(),
      enabled: z.boolean().optional().describe('false refuses its tokens at once'),
    }),
    output: ServiceAccount,
    errors: ['not_found', 'precondition_failed'],
    example: {
      input: { id: exampleAccount.id, enabled: false },
      output: { ...exampleAccount, enabled: false },
    },
  }),
  delete: endpoint({
    binding: 'DELETE /api/security/serviceAccounts/{id}',
    summary: 'Delete a service account; its tokens end at once',
    permission: 'security.serviceAccounts.update',
    input: z.strictObject(whole),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'precondition_failed'],
    example: { input: { id: exampleAccount.id } },
  }),
  addSecret: endpoint({
    binding: 'POST /api/security/serviceAccounts/{id}/secrets',
    summary: 'Add a second secret, for rotation',
    permission: 'security.serviceAccounts.update',
    input: z.strictObject(whole),
    output: ServiceAccountWithSecret,
    success: 201,
    errors: ['not_found', 'invalid_state'],
    example: { input: { id: exampleAccount.id }, output: withSecret },
  }),
  removeSecret: endpoint({
    binding: 'DELETE /api/security/serviceAccounts/{id}/secrets/{secretId}',
    summary: 'Remove a secret; the tokens of the account end at once',
    permission: 'security.serviceAccounts.update',
    input: z.strictObject({ ...whole, secretId: Id }),
    output: ServiceAccount,
    errors: ['not_found', 'invalid_state'],
    example: {
      input: { id: exampleAccount.id, secretId: 'SECR_01JB2Q6C4F0H2K4N6Q8S0V2X4Z' },
      output: exampleAccount,
    },
  }),
}
