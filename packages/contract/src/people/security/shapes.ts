import { z } from 'zod'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { AccountSettings } from '../../quota.ts'

const Key = z.string().min(1).max(limits.name)
const Keys = z.array(Key).max(500)

/** An entry of the legacy coarse model (specification 2.6). */
export const LegacyRepo = z.strictObject({
  CACHE_ROOT: z.string().max(limits.name).describe("The repository's name"),
  id: Id,
  permission: z.enum(['view', 'write', 'admin']).describe('Coarse permission on that repository'),
})

/** A legacy list of repositories, as roles, users and groups have it. */
export const LegacyRepos = z.array(LegacyRepo).max(1000).default([]).describe('Legacy coarse permissions')

/** What a role grants beside its bundles. */
export const RolePermissions = z.strictObject({
  global: Keys.default([]).describe('Keys granted everywhere'),
  repos: z
    .record(Key, Keys)
    .default({})
    .describe('Keys by repository id, or by `<repositoryId>:<typeName>` for one content type'),
  sites: z.record(Key, Keys).default({}).describe('Keys by site id'),
})

const roleMembers = {
  name: Name,
  groups: z.array(Id).max(1000).default([]).describe('Groups with this role'),
  users: z.array(Id).max(10_000).default([]).describe('Users with this role'),
  repos: LegacyRepos,
  type: z.string().max(limits.name).default('role').describe('Always `role` unless you say otherwise'),
  description: z.string().max(limits.description).default('').describe('Free text'),
  bundles: z.array(Key).max(100).default([]).describe('Permission bundles inherited: `bundle.<name>`'),
  permissions: RolePermissions.prefault({}).describe('Keys granted globally, by repository and by site'),
  overrides: z
    .strictObject({
      grant: Keys.default([]).describe('Keys added everywhere'),
      revoke: Keys.default([]).describe('Keys removed from what the bundles give'),
    })
    .prefault({})
    .describe('Applied on top of bundles and scopes'),
}

/** What a role is made of. */
export const RoleInput = z.strictObject(roleMembers)

/** A role (specification 2.6). */
export const Role = z
  .object({
    id: Id,
    searchId: z.string().describe('The id in lower case, `_` for everything but letters and digits'),
    ...roleMembers,
  })
  .meta({ id: 'Role', description: 'A role (specification 2.6)' })

/** A role as answered. */
export type Role = z.output<typeof Role>

/** A secret of a service account as shown: never its text. */
export const SecretInfo = z.object({
  id: Id,
  createdDate: UnixMs,
  lastUsedDate: UnixMs.nullable().describe('When a token was last issued for it'),
})

const accountMembers = {
  name: Name,
  description: z.string().max(limits.description).default('').describe('Free text'),
  roles: z.array(Id).max(200).default([]).describe('Role ids'),
  groups: z.array(Id).max(200).default([]).describe('Group ids'),
  expiresAt: UnixMs.nullable()
    .default(null)
    .describe('From then on no token is issued or accepted; null: never'),
  settings: AccountSettings.optional().describe('Once they were set'),
}

/** What a service account is made of. */
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

/** A service account as answered. */
export type ServiceAccount = z.output<typeof ServiceAccount>

/** The answer that shows a secret, once (specification 5.2.4). */
export const ServiceAccountWithSecret = ServiceAccount.extend({
  secret: z.string().describe('The OAuth2 client secret, shown only in this answer'),
}).meta({ id: 'ServiceAccountWithSecret', description: 'A service account and its new secret' })
