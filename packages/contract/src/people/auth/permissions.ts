import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { PermissionKey } from '../../permissions.ts'

const Keys = z.array(PermissionKey)

const held = {
  global: Keys.describe('Keys granted everywhere'),
  repos: z
    .record(z.string(), Keys)
    .describe(
      'Keys granted on a repository (`<id>`) or on one content type in it (`<id>:<type>`), either for one locale alone (`<id>@<locale>`, `<id>:<type>@<locale>`), in addition to the global ones',
    ),
  sites: z.record(z.string(), Keys).describe('Keys granted on a site, in addition to the global ones'),
}

/** Why a key is granted or not. */
const Explanation = z.object({
  key: z.string(),
  allowed: z.boolean().describe('Whether the key is held on main'),
  allowedInPackages: z.boolean().describe('Whether the key is held in packages'),
  grants: z
    .array(
      z.object({
        role: z
          .string()
          .nullable()
          .describe('Role id; null: granted by `repos` of the account or of a group'),
        via: z
          .array(z.string())
          .describe('The groups through which the role is inherited, nearest first; empty: directly'),
        source: z
          .string()
          .describe(
            '`bundle.<name>`, `permissions.global`, `permissions.repos.<id>`, `permissions.sites.<id>`, `repos.<permission>` or `overrides.grant`',
          ),
        inPackagesOnly: z
          .boolean()
          .describe('Whether it counts in packages only, because the role or the account is `branchOnly`'),
      }),
    )
    .describe('What grants the key'),
  withheld: z
    .array(
      z.object({
        role: z.string().nullable().describe('Role id; null: the account itself'),
        source: z
          .string()
          .describe(
            'The bundle that contains the key, which `overrides.revoke` removes; or `branchOnly`, which withholds it on main or everywhere',
          ),
      }),
    )
    .describe('What would grant the key on main without `overrides.revoke` or `branchOnly`'),
})

/** The effective permissions of an identity. */
export const EffectivePermissions = z
  .object({
    identity: z.object({
      kind: z.enum(['user', 'service', 'system', 'anonymous']),
      id: z.string(),
      name: z.string(),
    }),
    roles: z.array(z.string()).describe('Ids of the roles, direct and through groups'),
    ...held,
    branchOnly: z
      .boolean()
      .describe(
        'Whether nothing on main can be changed: what is held there only reads, or concerns packages',
      ),
    inPackages: z.object(held).describe('Keys held in packages in addition to those held on main'),
    explanation: Explanation.optional().describe('With `explain`'),
  })
  .meta({
    id: 'EffectivePermissions',
    description: 'The effective permissions of an identity (specification 5.2.8)',
  })

/** The input that asks for an explanation of a key. */
export const explainInput = {
  explain: PermissionKey.optional().describe('A key to explain'),
  repo: Id.optional().describe(
    'Explain it on this repository (id or name), followed by `:<type>` for one content type and by `@<locale>` for one locale',
  ),
  site: Id.optional().describe('Explain it on this site'),
}

/** The permissions of a user who may read items. */
export const exampleEffective: z.output<typeof EffectivePermissions> = {
  identity: { kind: 'user', id: 'ada@example.org', name: 'Ada Lovelace' },
  roles: ['ROLE_01JB2Q6A1B3D5F7H9K1M3P5R7T'],
  global: ['items.read'],
  repos: {},
  sites: {},
  branchOnly: true,
  inPackages: { global: [], repos: {}, sites: {} },
  explanation: {
    key: 'items.read',
    allowed: true,
    allowedInPackages: true,
    grants: [
      {
        role: 'ROLE_01JB2Q6A1B3D5F7H9K1M3P5R7T',
        via: [],
        source: 'bundle.viewer',
        inPackagesOnly: false,
      },
    ],
    withheld: [],
  },
}
