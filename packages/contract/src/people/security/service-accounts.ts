import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { crud, patchOf } from '../../crud.ts'
import { endpoint } from '../../endpoint.ts'
import { AccountSettingsPatch, AccountUsage, exampleUsage } from '../../quota.ts'
import { EffectivePermissions, exampleEffective, explainInput } from '../auth/permissions.ts'
import { exampleAccount, exampleRole, exampleWithSecret } from './examples.ts'
import { whole } from './inputs.ts'
import { ServiceAccount, ServiceAccountInput, ServiceAccountWithSecret } from './shapes.ts'

const createExample = { input: { name: 'Website', roles: [exampleRole.id] }, output: exampleWithSecret }

const accounts = crud({
  path: '/api/security/serviceAccounts',
  on: whole,
  one: 'a service account',
  many: 'service accounts',
  view: { key: 'security.serviceAccounts.view', on: 'global' },
  write: { key: 'security.serviceAccounts.update', on: 'global' },
  output: ServiceAccount,
  at: { id: exampleAccount.id },
  example: exampleAccount,
  create: {
    description:
      'The secret is only in this response: the service stores only a keyed hash of it (specification 5.2.4).',
    input: ServiceAccountInput,
    errors: ['idempotency_mismatch'],
    example: createExample.input,
  },
  update: {
    withoutRoom: true,
    summary: 'Change, disable or enable a service account',
    input: {
      ...patchOf(ServiceAccountInput.omit({ settings: true }).shape),
      enabled: z.boolean().optional().describe('false: the tokens of the account are rejected at once'),
      settings: AccountSettingsPatch.optional(),
    },
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
    example: { enabled: false },
  },
  delete: {
    summary: 'Delete a service account; its tokens become invalid at once',
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
  },
})

/** Service accounts (specification 2.17). */
export const serviceAccounts = {
  ...accounts,
  // Only the response of create contains the secret.
  create: { ...accounts.create, output: ServiceAccountWithSecret, example: createExample },
  permissions: endpoint({
    binding: 'GET /api/security/serviceAccounts/{id}/permissions',
    summary: "Read a service account's effective permissions, and explain one of them",
    permission: { key: 'security.serviceAccounts.view', on: 'global' },
    input: z.strictObject({ ...whole, ...explainInput }),
    output: EffectivePermissions,
    errors: ['not_found'],
    example: { input: { id: exampleAccount.id, explain: 'items.read' }, output: exampleEffective },
  }),
  usage: endpoint({
    binding: 'GET /api/security/serviceAccounts/{id}/usage',
    summary: 'Read how much a service account has stored and used today, with quota and budget',
    description: 'For your own service account, or for any with `security.serviceAccounts.view`.',
    permission: 'authenticated',
    input: z.strictObject(whole),
    output: AccountUsage,
    errors: ['not_found'],
    example: { input: { id: exampleAccount.id }, output: exampleUsage },
  }),
  addSecret: endpoint({
    binding: 'POST /api/security/serviceAccounts/{id}/secrets',
    summary: 'Add a second secret, for rotation',
    permission: { key: 'security.serviceAccounts.update', on: 'global' },
    input: z.strictObject(whole),
    output: ServiceAccountWithSecret,
    success: 201,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: { input: { id: exampleAccount.id }, output: exampleWithSecret },
  }),
  removeSecret: endpoint({
    binding: 'DELETE /api/security/serviceAccounts/{id}/secrets/{secretId}',
    summary: 'Remove a secret; the tokens of the account become invalid at once',
    permission: { key: 'security.serviceAccounts.update', on: 'global' },
    input: z.strictObject({ ...whole, secretId: Id }),
    output: ServiceAccount,
    errors: ['not_found', 'invalid_state'],
    example: {
      input: { id: exampleAccount.id, secretId: 'SECR_01JB2Q6C4F0H2K4N6Q8S0V2X4Z' },
      output: exampleAccount,
    },
  }),
}
