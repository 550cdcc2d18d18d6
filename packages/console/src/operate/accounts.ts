import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Role } from '@quire/client'
import type { Reason } from '../controls/act.tsx'
import { quire, sentOnce } from '../service.ts'
import { useServiceReason } from '../session/rights.ts'

/** A user, a group, a role or a service account, with what all of them, or some, have. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly enabled?: boolean
  readonly branchOnly?: boolean
  readonly roles?: readonly string[]
  readonly groups?: readonly string[]
  readonly bundles?: readonly string[]
  readonly permissions?: Role['permissions']
  readonly overrides?: Role['overrides']
}

/** What can be changed of one. */
export interface AccountChange {
  name?: string
  enabled?: boolean
  branchOnly?: boolean
  roles?: string[]
  groups?: string[]
  bundles?: string[]
}

/** The kinds, named as in their keys: `security.users.view`. */
export type AccountKindName = 'users' | 'groups' | 'roles' | 'serviceAccounts'

/** What the views do with one kind of account. */
interface AccountKind {
  readonly members: readonly Exclude<keyof AccountChange, 'name'>[]
  /** Whether somebody chooses its id. */
  readonly hasOwnId: boolean
  readonly list: () => Promise<readonly Account[]>
  readonly create: (made: { id: string; name: string }) => Promise<Account & { readonly secret?: string }>
  readonly update: (input: AccountChange & { id: string }) => Promise<Account>
  readonly remove: (id: string) => Promise<unknown>
}

// Services with more of them than this list in a browser are run through the API.
const limit = 1000

/** The kinds of accounts that hold rights. */
export const accountKinds: Readonly<Record<AccountKindName, AccountKind>> = {
  users: {
    members: ['enabled', 'branchOnly', 'roles', 'groups'],
    hasOwnId: true,
    list: async () => (await quire.users.list({ limit })).items,
    create: (made) => quire.users.create(made, sentOnce()),
    update: (input) => quire.users.update(input),
    remove: (id) => quire.users.delete({ id }),
  },
  groups: {
    members: ['roles'],
    hasOwnId: false,
    list: async () => (await quire.groups.list({ limit })).items,
    create: ({ name }) => quire.groups.create({ name }, sentOnce()),
    update: (input) => quire.groups.update(input),
    remove: (id) => quire.groups.delete({ id }),
  },
  roles: {
    members: ['branchOnly', 'bundles'],
    hasOwnId: false,
    list: async () => (await quire.roles.list({ limit })).items,
    create: ({ name }) => quire.roles.create({ name }, sentOnce()),
    update: (input) => quire.roles.update(input),
    remove: (id) => quire.roles.delete({ id }),
  },
  serviceAccounts: {
    members: ['enabled', 'branchOnly', 'roles', 'groups'],
    hasOwnId: false,
    list: async () => (await quire.serviceAccounts.list({ limit })).items,
    create: ({ name }) => quire.serviceAccounts.create({ name }, sentOnce()),
    update: (input) => quire.serviceAccounts.update(input),
    remove: (id) => quire.serviceAccounts.delete({ id }),
  },
}

/** All accounts of a kind, and why the person may not see them. */
export function useAccounts(kind: AccountKindName): {
  readonly list: UseQueryResult<readonly Account[]>
  readonly why: Reason
} {
  const why = useServiceReason()(`security.${kind}.view`)
  return {
    list: useQuery({
      queryKey: ['quire', 'accounts', kind],
      queryFn: accountKinds[kind].list,
      enabled: why === null,
    }),
    why,
  }
}
