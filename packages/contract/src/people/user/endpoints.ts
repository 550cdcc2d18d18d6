import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { defaultPreferences, Preferences } from '../security/preferences.ts'

const Me = z
  .object({
    kind: z.enum(['user', 'service', 'system', 'anonymous']),
    id: z.string(),
    name: z.string(),
    email: z.string().describe('E-mail address; empty for service accounts'),
    preferences: Preferences.nullable().describe(
      'Preferences of a user, or the defaults until they are set; null for other callers',
    ),
  })
  .meta({ id: 'Me', description: 'The current caller' })

/** Operations on the caller. */
export const user = {
  me: endpoint({
    binding: 'GET /api/user/me',
    summary: 'Read who you are, with your preferences',
    permission: 'authenticated',
    input: z.strictObject({}),
    output: Me,
    errors: [],
    example: {
      input: {},
      output: {
        kind: 'user',
        id: 'ada@example.org',
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        preferences: defaultPreferences,
      },
    },
  }),
  visit: endpoint({
    binding: 'POST /api/user/recent',
    withoutRoom: true,
    summary: 'Record a visit to a repository or site; your preferences keep the 3 most recent ones',
    permission: 'authenticated',
    input: z.strictObject({
      kind: z.enum(['repository', 'site']),
      id: Id.describe('Id of the site, or id or name of the repository'),
    }),
    output: Preferences,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { kind: 'repository', id: 'magazine' },
      output: {
        ...defaultPreferences,
        recentRepositories: [{ CACHE_ROOT: 'magazine', name: 'Magazine', lastVisited: 1_790_000_000_000 }],
      },
    },
  }),
}
