import { z } from 'zod'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { AccountSettings } from '../../quota.ts'

const Key = z.string().min(1).max(limits.name)
const Keys = z.array(Key).max(500)

/** An entry in the legacy list of coarse permissions (specification 2.6). */
export const LegacyRepo = z.strictObject({
  CACHE_ROOT: z.string().max(limits.name).describe("The repository's name"),
  id: Id,
  permission: z.enum(['view', 'write', 'admin']).describe('Coarse permission on that repository'),
})

/** The legacy list of coarse permissions that roles, users and groups have. */
export const LegacyRepos = z.array(LegacyRepo).max(1000).default([]).describe('Legacy coarse permissions')

/** The keys that a role grants in addition to its bundles. */
export const RolePermissions = z.strictObject({
  global: Keys.default([]).describe('Keys granted everywhere'),
  repos: z
    .record(Key, Keys)
    .default({})
    .describe(
      'Keys by repository id, or by `<repositoryId>:<typeName>` for one content type. With `@<locale>` at the end, `items.update` and `items.publish` count for that locale alone',
    ),
  sites: z.record(Key, Keys).default({}).describe('Keys by site id'),
})

/** Whether what a role or account grants counts in packages alone. */
export const BranchOnly = (what: string) =>
  z
    .boolean()
    .default(false)
    .describe(
      `true: ${what} reads, and changes content in packages alone. Changes of main, merges, publishing of sites, rights and settings are refused, whatever grants them`,
    )

const roleMembers = {
  name: Name,
  groups: z.array(Id).max(1000).default([]).describe('Ids of the groups with this role'),
  users: z.array(Id).max(10_000).default([]).describe('Ids of the users with this role'),
  repos: LegacyRepos,
  type: z.string().max(limits.name).default('role').describe('Always `role`, unless you set another value'),
  description: z.string().max(limits.description).default('').describe('Free text'),
  bundles: z
    .array(Key)
    .max(100)
    .default([])
    .describe('Ids of the inherited permission bundles: `bundle.<name>`'),
  permissions: RolePermissions.prefault({}).describe('Keys granted globally, by repository and by site'),
  overrides: z
    .strictObject({
      grant: Keys.default([]).describe('Keys added everywhere'),
      revoke: Keys.default([]).describe('Keys removed from those that the bundles grant'),
    })
    .prefault({})
    .describe('Applied after bundles and scoped keys'),
  branchOnly: BranchOnly('the role grants only what'),
}

/** The input of a new role. */
export const RoleInput = z.strictObject(roleMembers)

/** A role (specification 2.6). */
export const Role = z
  .object({
    id: Id,
    searchId: z.string().describe('The id in lower case, with `_` for everything except letters and digits'),
    ...roleMembers,
  })
  .meta({ id: 'Role', description: 'A role (specification 2.6)' })

/** A role, as returned. */
export type Role = z.output<typeof Role>

/** A secret of a service account, without its text. */
export const SecretInfo = z.object({
  id: Id,
  createdDate: UnixMs,
  lastUsedDate: UnixMs.nullable().describe('When a token was last issued for it; null: never'),
})

const accountMembers = {
  name: Name,
  description: z.string().max(limits.description).default('').describe('Free text'),
  roles: z.array(Id).max(200).default([]).describe('Role ids'),
  groups: z.array(Id).max(200).default([]).describe('Group ids'),
  expiresAt: UnixMs.nullable()
    .default(null)
    .describe('When the account expires: no token is issued or accepted after that; null: never'),
  branchOnly: BranchOnly('the account'),
  settings: AccountSettings.optional().describe('Settings of the account; absent until they are set'),
}

/** The input of a new service account. */
export const ServiceAccountInput = z.strictObject(accountMembers)

/** A service account (specification 2.17): its id is the OAuth2 client id. */
export const ServiceAccount = z
  .object({
    id: Id,
    ...accountMembers,
    enabled: z.boolean().describe('Whether tokens are issued and accepted'),
    secrets: z.array(SecretInfo).describe('At most two, for rotation'),
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({ id: 'ServiceAccount', description: 'A service account (specification 2.17)' })

/** A service account, as returned. */
export type ServiceAccount = z.output<typeof ServiceAccount>

/** A service account with its new secret, which is shown only once (specification 5.2.4). */
export const ServiceAccountWithSecret = ServiceAccount.extend({
  secret: z.string().describe('The OAuth2 client secret, shown only in this response'),
}).meta({ id: 'ServiceAccountWithSecret', description: 'A service account and its new secret' })
