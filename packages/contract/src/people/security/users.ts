import { z } from 'zod'
import { EffectivePermissions, explainInput, exampleEffective } from '../auth/permissions.ts'
import { UnixMs } from '../../conventions.ts'
import { crud, patchOf } from '../../crud.ts'
import { endpoint } from '../../endpoint.ts'
import { AccountSettingsPatch, AccountUsage, exampleUsage } from '../../quota.ts'
import { exampleUser } from './examples.ts'
import { whole } from './inputs.ts'
import { User, UserInput } from './people-shapes.ts'
import { defaultPreferences, Preferences } from './preferences.ts'

/** Users (specification 2.7). */
export const users = {
  ...crud({
    path: '/api/security/users',
    on: whole,
    one: 'a user',
    many: 'users',
    view: { key: 'security.users.view', on: 'global' },
    write: { key: 'security.users.update', on: 'global' },
    output: User,
    at: { id: exampleUser.id },
    example: exampleUser,
    create: {
      description:
        'Anyone who signs in with this e-mail address is this user. You can only grant permissions that you have: a role that grants more is 403.',
      input: UserInput,
      example: { id: exampleUser.id, name: 'Ada Lovelace' },
    },
    update: {
      withoutRoom: true,
      summary: 'Change, disable or enable a user',
      input: {
        ...patchOf(UserInput.omit({ id: true, settings: true }).shape),
        settings: AccountSettingsPatch.optional(),
      },
      errors: ['not_found', 'last_administrator', 'precondition_failed'],
      example: { enabled: false },
    },
    delete: {
      summary: 'Delete a user; sessions and tokens become invalid at once',
      description:
        'The user is removed from roles and groups: a user who is created later with the same address inherits nothing.',
      errors: ['not_found', 'last_administrator', 'precondition_failed'],
    },
  }),
  permissions: endpoint({
    binding: 'GET /api/security/users/{id}/permissions',
    summary: "Read a user's effective permissions, and explain one of them",
    permission: { key: 'security.users.view', on: 'global' },
    input: z.strictObject({ ...whole, ...explainInput }),
    output: EffectivePermissions,
    errors: ['not_found'],
    example: { input: { id: exampleUser.id, explain: 'items.read' }, output: exampleEffective },
  }),
  usage: endpoint({
    binding: 'GET /api/security/users/{id}/usage',
    summary: 'Read how much a user has stored and used today, with quota and budget',
    description: 'For yourself, or for any user with `security.users.view`.',
    permission: 'authenticated',
    input: z.strictObject(whole),
    output: AccountUsage,
    errors: ['not_found'],
    example: { input: { id: exampleUser.id }, output: exampleUsage },
  }),
  getPreferences: endpoint({
    binding: 'GET /api/security/users/{id}/preferences',
    summary: "Read a user's preferences",
    description:
      'For yourself, or for any user with `security.users.view`. Returns the defaults until preferences are set.',
    permission: 'authenticated',
    input: z.strictObject(whole),
    output: Preferences,
    errors: ['not_found'],
    example: { input: { id: exampleUser.id }, output: defaultPreferences },
  }),
  replacePreferences: endpoint({
    binding: 'PUT /api/security/users/{id}/preferences',
    summary: "Replace a user's preferences",
    description: 'For yourself, or for any user with `security.users.update` (specification 4.5).',
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
    summary: 'Create a link that signs a user in once, within 15 minutes',
    description:
      'For signing in without an identity provider. Whoever opens the link becomes that user, so you must have all permissions that the user has.',
    permission: { key: 'security.users.update', on: 'global' },
    input: z.strictObject(whole),
    output: z.object({
      url: z.string().describe('The link, shown only in this response'),
      expiresAt: UnixMs,
    }),
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
