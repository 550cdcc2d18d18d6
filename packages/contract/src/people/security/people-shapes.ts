import { z } from 'zod'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { AccountSettings } from '../../quota.ts'
import { Preferences } from './preferences.ts'
import { BranchOnly, LegacyRepos } from './shapes.ts'

const Type = (kind: string) =>
  z.string().max(limits.name).default(kind).describe(`Always \`${kind}\`, unless you set another value`)

const SearchId = z
  .string()
  .describe('The id in lower case, with `_` for everything except letters and digits')
const FreeText = z.string().max(limits.description).default('').describe('Free text')
const Roles = z.array(Id).max(200).default([]).describe('Role ids')

/** An e-mail address: the id of a user, ignoring case. */
export const Email = z
  .string()
  .max(limits.id)
  .regex(/^[^\s@/]+@[^\s@/]+$/, 'must be an e-mail address')
  .describe('The e-mail address, which is the id; stored in lower case')

const userMembers = {
  name: Name,
  repos: LegacyRepos,
  roles: Roles,
  groups: z.array(Id).max(200).default([]).describe('Group ids'),
  type: Type('user'),
  description: FreeText,
  enabled: z
    .boolean()
    .default(true)
    .describe('false: the sessions and tokens of the user are rejected at once'),
  branchOnly: BranchOnly('the user'),
  settings: AccountSettings.optional().describe('Settings of the user; absent until they are set'),
}

/** The input of a new user. */
export const UserInput = z.strictObject({ id: Email, ...userMembers })

/** A user (specification 2.7). */
export const User = z
  .object({
    id: Id.describe('The e-mail address'),
    searchId: SearchId,
    ...userMembers,
    preferences: Preferences.optional().describe('Preferences; absent until they are set'),
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({ id: 'User', description: 'A user (specification 2.7)' })

/** A user, as returned. */
export type User = z.output<typeof User>

const groupMembers = {
  name: Name,
  groups: z
    .array(Id)
    .max(200)
    .default([])
    .describe('Ids of the groups that this group is in; its members get their roles'),
  users: z.array(Id).max(10_000).default([]).describe('Ids of the users in the group'),
  roles: Roles,
  repos: LegacyRepos,
  type: Type('group'),
  description: FreeText,
}

/** The input of a new group. */
export const GroupInput = z.strictObject(groupMembers)

/** A group (specification 2.8). */
export const Group = z
  .object({ id: Id, searchId: SearchId, ...groupMembers, createdDate: UnixMs, updatedDate: UnixMs })
  .meta({ id: 'Group', description: 'A group (specification 2.8)' })

/** A group, as returned. */
export type Group = z.output<typeof Group>

/** The ids related to a user, role, group or service account (specification 4.5). */
export const RelatedIds = z
  .object({
    users: z.array(z.string()),
    roles: z.array(z.string()),
    groups: z.array(z.string()),
    serviceAccounts: z.array(z.string()),
  })
  .meta({
    id: 'RelatedIds',
    description: 'The ids related to a user, role, group or service account (specification 4.5)',
  })
