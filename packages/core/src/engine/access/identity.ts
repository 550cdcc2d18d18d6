import { QuireError, type Budget } from '@quire/contract'
import type { Clock, RecordReader, UserRef } from '../../ports/index.ts'
import { findAccount, type Account } from './records.ts'
import { grantsOf } from './grants.ts'
import { graphOf, holdingsIn, type Graph, type Holder, type Holdings } from './holdings.ts'
import {
  allPermissions,
  isBranchOnly,
  noPermissions,
  permissionsOf,
  type Permissions,
} from './permissions.ts'
import { readingOnly } from './reading.ts'

/**
 * The caller. Nothing runs without one. `system` is the process itself (imports, jobs, the CLI). It
 * has a name that the journal records, and every permission. It can only be created in process,
 * never from a token.
 */
export type Principal =
  | AccountPrincipal
  | { readonly kind: 'system'; readonly name: string }
  | { readonly kind: 'anonymous' }

/** An account, with the claims of its token. */
export interface AccountPrincipal {
  readonly kind: 'user' | 'service'
  readonly id: string
  /**
   * For work that was stored for later: the `owner` of the identity that asked for it. An account that
   * has got the id since is refused.
   */
  readonly owner?: string
  /**
   * The account's epoch when the token was issued. If the account now has another one, the token is
   * refused.
   */
  readonly epoch?: number
  /** Unix ms at which the token expires. */
  readonly expires?: number
  /** The session that the token belongs to. */
  readonly session?: string
  /** For a reading token: the id of the one repository in which it reads. */
  readonly readsIn?: string
}

/** A named system identity. */
export function systemIdentity(name: string): Principal {
  return { kind: 'system', name }
}

/** The caller of public endpoints without a token. */
export const anonymous: Principal = { kind: 'anonymous' }

/** The caller with their current permissions. */
export interface Identity {
  readonly kind: Principal['kind']
  readonly id: string
  /**
   * Unique for every account that ever existed: an email address may later belong to somebody else.
   */
  readonly owner: string
  readonly name: string
  readonly ref: UserRef
  readonly permissions: Permissions
  /** Unix ms from which the account is refused; null: never. */
  readonly expiresAt: number | null
  /** What the account may use in a day; null: no limit. */
  readonly budget: Budget | null
  /**
   * Whether every call of the account is recorded: it can change content in packages alone, because
   * itself or a role of it is `branchOnly`.
   */
  readonly isAgent: boolean
  /** With a reading token: the id of the one repository in which it reads; null: the caller is the account. */
  readonly readsIn: string | null
}

const nobody: Identity = {
  kind: 'anonymous',
  id: 'anonymous',
  owner: 'anonymous',
  name: 'Anonymous',
  ref: { userName: 'anonymous', displayName: 'Anonymous', email: '' },
  permissions: noPermissions,
  expiresAt: null,
  budget: null,
  isAgent: false,
  readsIn: null,
}

/** Errors: `unauthorized` for an account that has expired. */
export function requireUnexpired(identity: Identity, { clock }: { readonly clock: Clock }): Identity {
  const { expiresAt } = identity
  if (expiresAt !== null && expiresAt <= clock.now()) throw new QuireError('unauthorized')
  return identity
}

/**
 * The caller's current identity. Errors: `unauthorized` when the account is gone or disabled, or
 * its secrets changed after the token was issued.
 */
export async function resolveIdentity(records: RecordReader, principal: Principal): Promise<Identity> {
  if (principal.kind === 'anonymous') return nobody
  if (principal.kind === 'system') return systemCaller(principal.name)
  const account = await findAccount(records, principal)
  if (!account || !isAccepted(principal, account)) throw new QuireError('unauthorized')
  const holdings = holdingsIn(await graphOf(records), account)
  const all = permissionsFrom(holdings)
  const { readsIn } = principal
  const permissions = readsIn === undefined ? all : readingOnly(all, readsIn)
  const isLimited = holdings.roles.some(({ role }) => role.branchOnly === true) && isBranchOnly(all)
  const { id, name, email, expiresAt, budget } = account
  return {
    kind: principal.kind,
    id,
    owner: ownerOf(account),
    name,
    permissions,
    expiresAt,
    budget,
    isAgent: account.branchOnly || isLimited,
    readsIn: readsIn ?? null,
    ref: { userName: id, displayName: name, email },
  }
}

/** Whether a principal is still the account, and the account may act. */
function isAccepted({ epoch, owner }: AccountPrincipal, account: Account): boolean {
  if (!account.enabled || (epoch !== undefined && epoch !== account.epoch)) return false
  return owner === undefined || owner === ownerOf(account)
}

/** The `owner` of the identity of an account. */
export function ownerOf({ kind, id, createdDate }: Pick<Account, 'kind' | 'id' | 'createdDate'>): string {
  return `${kind}:${id}:${createdDate}`
}

/** The permissions of an account according to the given roles and groups. */
export function permissionsIn(graph: Graph, holder: Holder): Permissions {
  return permissionsFrom(holdingsIn(graph, holder))
}

/** The permissions that result from everything that an account holds. */
export function permissionsFrom(holdings: Holdings): Permissions {
  return permissionsOf(
    holdings.roles.map(({ role }) => role.id),
    grantsOf(holdings),
  )
}

/** The identity of the process itself, under a name. */
export function systemCaller(name: string): Identity {
  const userName = `system:${name}`
  return {
    kind: 'system',
    id: userName,
    owner: userName,
    name,
    ref: { userName, displayName: name, email: '' },
    permissions: allPermissions,
    expiresAt: null,
    budget: null,
    isAgent: false,
    readsIn: null,
  }
}
