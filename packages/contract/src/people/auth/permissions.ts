import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { permissionKeys } from '../../permissions.ts'

const Keys = z.array(z.enum(permissionKeys as [string, ...string[]]))

/** Why a key is held or not. */
const Explanation = z.object({
  key: z.string(),
  allowed: z.boolean(),
  grants: z
    .array(
      z.object({
        role: z.string().nullable().describe('Role id; null: from `repos` of the account or of a group'),
        via: z
          .array(z.string())
          .describe('The groups through which it comes, nearest first; empty: directly'),
        source: z
          .string()
          .describe(
            '`bundle.<name>`, `permissions.global`, `permissions.repos.<id>`, `permissions.sites.<id>`, `repos.<permission>` or `overrides.grant`',
          ),
      }),
    )
    .describe('What gives the key'),
  withheld: z
    .array(
      z.object({
        role: z.string(),
        source: z.string().describe('The bundle whose key `overrides.revoke` removes'),
      }),
    )
    .describe('What would give it but for a revoke'),
})

/** What somebody may do. */
export const EffectivePermissions = z
  .object({
    identity: z.object({
      kind: z.enum(['user', 'service', 'system', 'anonymous']),
      id: z.string(),
      name: z.string(),
    }),
    roles: z.array(z.string()).describe('Role ids, direct and through groups'),
    global: Keys.describe('Keys held everywhere'),
    repos: z
      .record(z.string(), Keys)
      .describe(
        'Keys held on a repository (`<id>`) or on one type of it (`<id>:<type>`), beside the global ones',
      ),
    sites: z.record(z.string(), Keys).describe('Keys held on a site, beside the global ones'),
    explanation: Explanation.optional().describe('With `explain`'),
  })
  .meta({ id: 'EffectivePermissions', description: 'What somebody may do (specification 5.2.8)' })

/** What explains a key. */
export const explainInput = {
  explain: z
    .enum(permissionKeys as [string, ...string[]])
    .optional()
    .describe('A key to explain'),
  repo: Id.optional().describe('Explain it on this repository (id or name), `:<type>` after it for one type'),
  site: Id.optional().describe('Explain it on this site'),
}

/** A reader's permissions. */
export const exampleEffective: z.output<typeof EffectivePermissions> = {
  identity: { kind: 'user', id: 'ada@example.org', name: 'Ada Lovelace' },
  roles: ['ROLE_01JB2Q6A1B3D5F7H9K1M3P5R7T'],
  global: ['items.read'],
  repos: {},
  sites: {},
  explanation: {
    key: 'items.read',
    allowed: true,
    grants: [{ role: 'ROLE_01JB2Q6A1B3D5F7H9K1M3P5R7T', via: [], source: 'bundle.viewer' }],
    withheld: [],
  },
}
