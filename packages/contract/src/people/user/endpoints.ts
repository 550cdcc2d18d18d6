import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { defaultPreferences, Preferences } from '../security/preferences.ts'

const Me = z
  .object({
    kind: z.enum(['user', 'service', 'system', 'anonymous']),
    id: z.string(),
    name: z.string(),
    email: z.string().describe('Empty for service accounts'),
    preferences: Preferences.nullable().describe('Of a user; defaults before they are set. Null for others'),
  })
  .meta({ id: 'Me', description: 'Who you are' })

/** The caller. */
export const user = {
  me: endpoint({
    binding: 'GET /api/user/me',
    summary: 'Who you are, with your preferences',
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
    summary: 'Note that you visited a repository or site; the 3 last are kept in your preferences',
    permission: 'authenticated',
    input: z.strictObject({
      kind: z.enum(['repository', 'site']),
      id: Id.describe('Of a repository: its id or name'),
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
