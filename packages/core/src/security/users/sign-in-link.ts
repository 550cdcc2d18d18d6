import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { keepTicket } from '../../auth/tickets.ts'
import { securityEvent } from '../audit.ts'
import { findUser, requireAssignableUser } from './find.ts'

type SignInLink = Contract['users']['createSignInLink']

/**
 * An address that signs the user in, once. Whoever opens it acts as the user: the caller must hold all that the user holds.
 * Errors: `not_found`, `forbidden`, `invalid_state` for a disabled user.
 */
export async function createSignInLink(
  call: Call,
  input: ParsedOf<SignInLink>,
): Promise<OutputOf<SignInLink>> {
  requirePermission(call, 'security.users.update')
  const { baseUrl, ids } = call.environment
  const ticket = ids.secret(32)
  const expiresAt = call.now + limits.signInLinkLifetime
  await call.transaction(async (tx) => {
    const user = await findUser(within(call, tx), input.id)
    await requireAssignableUser(call, tx.records, user)
    if (!user.enabled) throw new QuireError('invalid_state', 'The user is disabled: enable it first.')
    await keepTicket(within(call, tx), tx, { ticket, user, expiresAt })
    await tx.journal.record(securityEvent(call, 'SIGN_IN_LINK_CREATED', { kind: 'user', id: user.id }))
  })
  return { url: `${baseUrl}/api/user/login?ticket=${ticket}`, expiresAt }
}
