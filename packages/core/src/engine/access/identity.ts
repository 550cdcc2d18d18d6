import { QuireError } from '@quire/contract'
import type { RecordReader, UserRef } from '../../ports/index.ts'
import { findAccount } from './records.ts'
import { grantsOf } from './grants.ts'
import { graphOf, holdingsIn, type Graph, type Holder } from './holdings.ts'
import { allPermissions, noPermissions, permissionsOf, type Permissions } from './permissions.ts'

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
   * The account's epoch when the token was issued. If the account now has another one, the token is
   * refused.
   */
  readonly epoch?: number
  /** Unix ms at which the token expires. */
  readonly expires?: number
  /** The session that the token belongs to. */
  readonly session?: string
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
}

const nobody: Identity = {
  kind: 'anonymous',
  id: 'anonymous',
  owner: 'anonymous',
  name: 'Anonymous',
  ref: { userName: 'anonymous', displayName: 'Anonymous', email: '' },
  permissions: noPermissions,
  expiresAt: null,
}

/**
 * The caller's current identity. Errors: `unauthorized` when the account is gone or disabled, or
 * its secrets changed after the token was issued.
 */
export async function resolveIdentity(records: RecordReader, principal: Principal): Promise<Identity> {
  if (principal.kind === 'anonymous') return nobody
  if (principal.kind === 'system') return systemCaller(principal.name)
  const account = await findAccount(records, principal)
  if (!account?.enabled) throw new QuireError('unauthorized')
  if (principal.epoch !== undefined && principal.epoch !== account.epoch) throw new QuireError('unauthorized')
  const permissions = permissionsIn(await graphOf(records), account)
  const { id, name, email, expiresAt, createdDate } = account
  const owner = `${principal.kind}:${id}:${createdDate}`
  return {
    kind: principal.kind,
    id,
    owner,
    name,
    permissions,
    expiresAt,
    ref: { userName: id, displayName: name, email },
  }
}

/** The permissions of an account according to the given roles and groups. */
export function permissionsIn(graph: Graph, holder: Holder): Permissions {
  const holdings = holdingsIn(graph, holder)
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
  }
}
