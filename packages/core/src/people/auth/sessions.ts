import { limits, QuireError, type Contract, type OutputOf } from '@quire/contract'
import type { Cookie } from '@quire/contract/codec'
import { findAccount, type Account, type UserRecord } from '../../engine/access/records.ts'
import { WithCookie } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { securityEvent } from '../audit.ts'
import { cookieOf, signToken } from './issue.ts'
import type { StoreReader } from '../../ports/index.ts'

type SessionInfo = OutputOf<Contract['auth']['openSession']>

/** Whether a session exists that is neither closed nor expired. `now` is in Unix ms. */
export async function isSessionOpen(store: StoreReader, session: string, now: number): Promise<boolean> {
  return (await store.ephemera.get(keyOf(session), now)) !== null
}

/**
 * Opens a session for the bearer of a token. It ends with the token, and after at most 12 hours.
 * Errors: `invalid_state` for a call with a session or without a token.
 */
export async function openSession(call: Call): Promise<WithCookie<SessionInfo>> {
  const { principal } = call
  if (principal.kind !== 'user' && principal.kind !== 'service')
    throw new QuireError('invalid_state', 'Only users and service accounts have sessions.')
  if (principal.session !== undefined)
    throw new QuireError('invalid_state', 'This call already uses a session.')
  const account = await findAccount(call.store.records, principal)
  if (!account) throw new QuireError('unauthorized')
  // A token of another issuer may be valid for longer than a session.
  const ends = principal.expires ?? call.now + limits.tokenLifetime * 1000
  const expires = Math.min(ends, call.now + limits.sessionLifetime * 1000)
  const { session, cookie } = await startSession(call, account, expires)
  return new WithCookie(session, cookie)
}

/** Closes the session of the call, if it has one, and removes its cookie. */
export async function closeSession(call: Call): Promise<WithCookie<undefined>> {
  const { principal, now } = call
  const session = 'session' in principal ? principal.session : undefined
  if (session !== undefined)
    await call.write(async (call) => {
      await call.store.ephemera.take(keyOf(session), now)
      await call.record(securityEvent(call, 'SESSION_CLOSED', { kind: 'session', id: call.identity.id }))
    })
  return new WithCookie<undefined>(undefined, tokenCookie(call, { value: '', maxAge: 0 }))
}

/** Starts a session of an account until `expires` (Unix ms), and creates the cookie for it. */
export async function startSession(
  call: Call,
  { kind, id, name, epoch }: Pick<Account, 'kind' | 'id' | 'name' | 'epoch'>,
  expires: number,
): Promise<{ session: SessionInfo; cookie: Cookie }> {
  const session = call.environment.ids.secret(24)
  const token = await signToken(call, { kind, id, name, epoch, expires, session })
  await call.write(async (call) => {
    await call.store.ephemera.put(keyOf(session), `${kind}:${id}`, expires)
    await call.record(securityEvent(call, 'SESSION_OPENED', { kind: 'session', id }))
  })
  const cookie = tokenCookie(call, { value: token, maxAge: Math.floor((expires - call.now) / 1000) })
  return { session: { expiresAt: expires, identity: { kind, id, name } }, cookie }
}

function tokenCookie(call: Call, { value, maxAge }: { value: string; maxAge: number }): Cookie {
  return cookieOf(call, { name: 'token', value, maxAge, path: '/' })
}

function keyOf(session: string): string {
  return `session:${session}`
}

/** Stores the ticket of a one-time link, as a keyed hash with the user and their current epoch. */
export async function storeTicket(
  call: WriteCall,
  { ticket, user, expiresAt }: { ticket: string; user: UserRecord; expiresAt: number },
): Promise<void> {
  await call.store.ephemera.put(
    ticketKey(await call.environment.secrets.hmac(ticket)),
    JSON.stringify([user.id, user.epoch]),
    expiresAt,
  )
}

/**
 * Returns the user of a ticket and invalidates it. Errors: `unauthorized`, with the same message
 * for every invalid ticket.
 */
export async function redeemTicket(call: Call, ticket: string): Promise<UserRecord> {
  const hashes = await call.environment.secrets.hmacs(ticket)
  const stored = await call.write(async (call) => {
    for (const hash of hashes) {
      const found = await call.store.ephemera.take(ticketKey(hash), call.now)
      if (found !== null) return found
    }
    return null
  })
  const [id, epoch] = stored === null ? [] : (JSON.parse(stored) as [string, number])
  const user = id === undefined ? null : await call.store.records.get('user', id)
  if (!user?.enabled || user.epoch !== epoch)
    throw new QuireError('unauthorized', 'This link was already used, or has expired. Request a new one.')
  return user
}

function ticketKey(hash: string): string {
  return `sign-in-ticket:${hash}`
}

// Uses within a minute of the last recorded one are not recorded, so that logins stay cheap.
const resolutionMs = 60_000
// The last use is recorded for 400 days.
const lifetimeMs = 400 * 24 * 60 * 60 * 1000

/** Records that a token was issued for a secret now. */
export async function noteUse(call: Call, secretId: string): Promise<void> {
  const last = await lastUse(call.store, secretId, call.now)
  if (last !== null && call.now - last < resolutionMs) return
  await call.write((call) => call.store.ephemera.put(key(secretId), String(call.now), call.now + lifetimeMs))
}

/**
 * When a token was last issued for a secret, in Unix ms, to the minute; null if never, or not
 * within 400 days.
 */
export async function lastUse(store: StoreReader, secretId: string, now: number): Promise<number | null> {
  const noted = await store.ephemera.get(key(secretId), now)
  return noted === null ? null : Number(noted)
}

function key(secretId: string): string {
  return `secret-use:${secretId}`
}
