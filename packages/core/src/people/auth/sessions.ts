import { limits, QuireError, type Contract, type OutputOf } from '@quire/contract'
import type { Cookie } from '@quire/contract/codec'
import { findAccount, type Account, type UserRecord } from '../../engine/access/records.ts'
import { WithCookie } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { securityEvent } from '../audit.ts'
import { cookieOf, signToken } from './issue.ts'
import type { StoreReader } from '../../ports/index.ts'

type Opened = OutputOf<Contract['auth']['openSession']>

/** Whether a session was opened and neither closed nor ran out. */
export async function isOpen(store: StoreReader, session: string, now: number): Promise<boolean> {
  return (await store.ephemera.get(keyOf(session), now)) !== null
}

/**
 * Opens a session for the bearer of a token, until that token ends, 12 hours at most. Errors: `invalid_state` for whoever calls by a session
 * or without a token.
 */
export async function openSession(call: Call): Promise<WithCookie<Opened>> {
  const { principal } = call
  if (principal.kind !== 'user' && principal.kind !== 'service')
    throw new QuireError('invalid_state', 'Only users and service accounts have sessions.')
  if (principal.session !== undefined)
    throw new QuireError('invalid_state', 'This is a session: it was opened before.')
  const account = await findAccount(call.store.records, principal)
  if (!account) throw new QuireError('unauthorized')
  // A token of somebody else may live longer than a session does.
  const ends = principal.expires ?? call.now + limits.tokenLifetime * 1000
  const expires = Math.min(ends, call.now + limits.sessionLifetime * 1000)
  const { opened, cookie } = await open(call, account, expires)
  return new WithCookie(opened, cookie)
}

/** Closes the session that asks, and takes its cookie back. */
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

/** A session of an account until a time, with the cookie that carries it. */
export async function open(
  call: Call,
  { kind, id, name, epoch }: Pick<Account, 'kind' | 'id' | 'name' | 'epoch'>,
  expires: number,
): Promise<{ opened: Opened; cookie: Cookie }> {
  const session = call.environment.ids.secret(24)
  const token = await signToken(call, { kind, id, name, epoch, expires, session })
  await call.write(async (call) => {
    await call.store.ephemera.put(keyOf(session), `${kind}:${id}`, expires)
    await call.record(securityEvent(call, 'SESSION_OPENED', { kind: 'session', id }))
  })
  const cookie = tokenCookie(call, { value: token, maxAge: Math.floor((expires - call.now) / 1000) })
  return { opened: { expiresAt: expires, identity: { kind, id, name } }, cookie }
}

function tokenCookie(call: Call, { value, maxAge }: { value: string; maxAge: number }): Cookie {
  return cookieOf(call, { name: 'token', value, maxAge, path: '/' })
}

function keyOf(session: string): string {
  return `session:${session}`
}

/** Keeps the ticket of a one-time link: its keyed hash, and whom it stands for now. */
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

/** The user of a ticket, which is worth nothing afterwards. Errors: `unauthorized`, one and the same for every ticket that is none. */
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
    throw new QuireError('unauthorized', 'This link was used or has run out: ask for a new one.')
  return user
}

function ticketKey(hash: string): string {
  return `sign-in-ticket:${hash}`
}

// A use within a minute of the last one noted is not noted: logins stay cheap.
const resolutionMs = 60_000
// 400 days: what is not used for longer has no last use worth telling.
const lifetimeMs = 400 * 24 * 60 * 60 * 1000

/** Notes that a secret issued a token now. */
export async function noteUse(call: Call, secretId: string): Promise<void> {
  const last = await lastUse(call.store, secretId, call.now)
  if (last !== null && call.now - last < resolutionMs) return
  await call.write((call) => call.store.ephemera.put(key(secretId), String(call.now), call.now + lifetimeMs))
}

/** When a secret last issued a token, Unix ms, to the minute; null when never (or not for 400 days). */
export async function lastUse(store: StoreReader, secretId: string, now: number): Promise<number | null> {
  const noted = await store.ephemera.get(key(secretId), now)
  return noted === null ? null : Number(noted)
}

function key(secretId: string): string {
  return `secret-use:${secretId}`
}
