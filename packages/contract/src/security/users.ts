import { z } from 'zod'
import { EffectivePermissions, explainInput, exampleEffective } from '../auth/permissions.ts'
import { listOf, UnixMs } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { exampleUser } from './examples.ts'
import { listing, whole } from './inputs.ts'
import { User, UserInput } from './people-shapes.ts'
import { defaultPreferences, Preferences } from './preferences.ts'

/** Users (specification 2.7). */
export const users = {
  list: endpoint({
    binding: 'GET /api/security/users',
    summary: 'List users',
    permission: 'security.users.view',
    input: z.strictObject(listing),
    output: listOf(User),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleUser] } },
  }),
  get: endpoint({
    binding: 'GET /api/security/users/{id}',
    summary: 'Read a user',
    permission: 'security.users.view',
    input: z.strictObject(whole),
    output: User,
    errors: ['not_found'],
    example: { input: { id: exampleUser.id }, output: exampleUser },
  }),
  create: endpoint({
    binding: 'POST /api/security/users',
    summary: 'Create a user',
    description:
      'Who signs in with this e-mail address is this user. Nobody grants what they do not hold: a role that gives more is 403.',
    permission: 'security.users.update',
    input: UserInput,
    output: User,
    success: 201,
    errors: ['name_taken', 'idempotency_mismatch'],
    example: { input: { id: exampleUser.id, name: 'Ada Lovelace' }, output: exampleUser },
  }),
  update: endpoint({
    binding: 'PATCH /api/security/users/{id}',
    summary: 'Change, disable or enable a user',
    permission: 'security.users.update',
    input: z.strictObject({
      ...whole,
      name: UserInput.shape.name.optional(),
      repos: UserInput.shape.repos.unwrap().optional(),
      roles: UserInput.shape.roles.unwrap().optional(),
      groups: UserInput.shape.groups.unwrap().optional(),
      type: UserInput.shape.type.unwrap().optional(),
      description: UserInput.shape.description.unwrap().optional(),
      enabled: UserInput.shape.enabled.unwrap().optional(),
    }),
    output: User,
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
    example: { input: { id: exampleUser.id, enabled: false }, output: { ...exampleUser, enabled: false } },
  }),
  delete: endpoint({
    binding: 'DELETE /api/security/users/{id}',
    summary: 'Delete a user; sessions and tokens end at once',
    description:
      'Roles and groups forget the user: who is created later with the same address has nothing of it.',
    permission: 'security.users.update',
    input: z.strictObject(whole),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
    example: { input: { id: exampleUser.id } },
  }),
  permissions: endpoint({
    binding: 'GET /api/security/users/{id}/permissions',
    summary: "A user's effective permissions, and for one key why",
    permission: 'security.users.view',
    input: z.strictObject({ ...whole, ...explainInput }),
    output: EffectivePermissions,
    errors: ['not_found'],
    example: { input: { id: exampleUser.id, explain: 'items.read' }, output: exampleEffective },
  }),
  getPreferences: endpoint({
    binding: 'GET /api/security/users/{id}/preferences',
    summary: "A user's preferences",
    description:
      'Your own, or anybody’s with security.users.view. Before they are set they are the defaults.',
    permission: 'authenticated',
    input: z.strictObject(whole),
    output: Preferences,
    errors: ['not_found'],
    example: { input: { id: exampleUser.id }, output: defaultPreferences },
  }),
  replacePreferences: endpoint({
    binding: 'PUT /api/security/users/{id}/preferences',
    summary: "Replace a user's preferences",
    description: 'Your own, or anybody’s with security.users.update (specification 4.5).',
    permission: 'authenticated',
    input: z.strictObject({ ...whole, ...Preferences.shape }),
    output: Preferences,
    errors: ['not_found'],
    example: {
      input: { id: exampleUser.id, view: { defaultView: 'grid' } },
      output: defaultPreferences,
    },
  }),
  createSignInLink: endpoint({
    binding: 'POST /api/security/users/{id}/sign-in-link',
    summary: 'Make an address that signs a user in, once, within 15 minutes',
    description:
      'For a start without an identity provider. Whoever opens it is that user: you must hold all that the user holds.',
    permission: 'security.users.update',
    input: z.strictObject(whole),
    output: z.object({ url: z.string().describe('Shown only in this answer'), expiresAt: UnixMs }),
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { id: exampleUser.id },
      output: {
        url: 'https://cms.example.org/api/user/login?ticket=the-ticket-works-once',
        expiresAt: 1_790_000_900_000,
      },
    },
  }),
}
