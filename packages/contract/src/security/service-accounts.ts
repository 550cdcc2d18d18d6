import { z } from 'zod'
import { Id, listOf } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { exampleAccount, exampleRole, exampleWithSecret } from './examples.ts'
import { listing, whole } from './inputs.ts'
import { ServiceAccount, ServiceAccountInput, ServiceAccountWithSecret } from './shapes.ts'

/** Service accounts (specification 2.17). */
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
    example: { input: { name: 'Website', roles: [exampleRole.id] }, output: exampleWithSecret },
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
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
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
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
    example: { input: { id: exampleAccount.id } },
  }),
  addSecret: endpoint({
    binding: 'POST /api/security/serviceAccounts/{id}/secrets',
    summary: 'Add a second secret, for rotation',
    permission: 'security.serviceAccounts.update',
    input: z.strictObject(whole),
    output: ServiceAccountWithSecret,
    success: 201,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: { input: { id: exampleAccount.id }, output: exampleWithSecret },
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
