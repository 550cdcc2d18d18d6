import { QuireError } from '@quire/contract'
import type { RecordReader, UserRef } from '../../ports/index.ts'
import { findAccount } from './records.ts'
import { grantsOf } from './grants.ts'
import { graphOf, holdingsIn, type Graph, type Holder } from './holdings.ts'
import { allPermissions, noPermissions, permissionsOf, type Permissions } from './permissions.ts'

/**
 * Who calls. Nothing runs without one. `system` is for the process itself (imports, jobs, the CLI): it has a name that the
 * journal keeps, and every permission; it can only be made in process, never from a token.
 */
export type Principal =
  | AccountPrincipal
  | { readonly kind: 'system'; readonly name: string }
  | { readonly kind: 'anonymous' }

/** An account, and what its token says of it. */
export interface AccountPrincipal {
  readonly kind: 'user' | 'service'
  readonly id: string
  /** Of the account when the token was issued: another one refuses it. */
  readonly epoch?: number
  /** Unix ms at which the token ends. */
  readonly expires?: number
  /** The session that the token is of. */
  readonly session?: string
}

/** A named system identity. */
export function systemIdentity(name: string): Principal {
  return { kind: 'system', name }
}

/** Nobody: what public endpoints see when no token was sent. */
export const anonymous: Principal = { kind: 'anonymous' }

/** Who calls, with what they may do now. */
export interface Identity {
  readonly kind: Principal['kind']
  readonly id: string
  /** Another one for each account that there ever was: an address may come back as somebody else. */
  readonly owner: string
  readonly name: string
  readonly ref: UserRef
  readonly permissions: Permissions
  /** Unix ms from which on the account is refused; null: never. */
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
 * The identity as the store knows it now.
 * Errors: `unauthorized` when the account is gone, disabled, or changed its secrets after the token was issued.
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

/** What an account may do, by the roles and groups as they were read. */
export function permissionsIn(graph: Graph, holder: Holder): Permissions {
  const holdings = holdingsIn(graph, holder)
  return permissionsOf(
    holdings.roles.map(({ role }) => role.id),
    grantsOf(holdings),
  )
}

/** The process itself, under a name. */
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
