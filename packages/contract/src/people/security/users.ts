import { z } from 'zod'
import { EffectivePermissions, explainInput, exampleEffective } from '../auth/permissions.ts'
import { UnixMs } from '../../conventions.ts'
import { crud, patchOf } from '../../crud.ts'
import { endpoint } from '../../endpoint.ts'
import { AccountSettingsPatch, exampleUsage, Usage } from '../../quota.ts'
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
    view: 'security.users.view',
    write: 'security.users.update',
    output: User,
    at: { id: exampleUser.id },
    example: exampleUser,
    create: {
      description:
        'Who signs in with this e-mail address is this user. Nobody grants what they do not hold: a role that gives more is 403.',
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
      summary: 'Delete a user; sessions and tokens end at once',
      description:
        'Roles and groups forget the user: who is created later with the same address has nothing of it.',
      errors: ['not_found', 'last_administrator', 'precondition_failed'],
    },
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
  usage: endpoint({
    binding: 'GET /api/security/users/{id}/usage',
    summary: 'What a user made that is kept, and what may be',
    description: 'Your own, or anybody’s with security.users.view.',
    permission: 'authenticated',
    input: z.strictObject(whole),
    output: Usage,
    errors: ['not_found'],
    example: { input: { id: exampleUser.id }, output: exampleUsage },
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
