import { QuireError } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import type { UserRecord } from '../../engine/access/records.ts'
import type { StoreReader } from '../../ports/index.ts'

/** Keeps the ticket of a one-time link: its keyed hash, and whom it stands for now. */
export async function storeTicket(
  call: WriteCall,
  { ticket, user, expiresAt }: { ticket: string; user: UserRecord; expiresAt: number },
): Promise<void> {
  await call.store.ephemera.put(
    keyOf(await call.environment.secrets.hmac(ticket)),
    JSON.stringify([user.id, user.epoch]),
    expiresAt,
  )
}

/** The user of a ticket, which is worth nothing afterwards. Errors: `unauthorized`, one and the same for every ticket that is none. */
export async function redeemTicket(call: Call, ticket: string): Promise<UserRecord> {
  const hashes = await call.environment.secrets.hmacs(ticket)
  const stored = await call.write(async (call) => {
    for (const hash of hashes) {
      const found = await call.store.ephemera.take(keyOf(hash), call.now)
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

function keyOf(hash: string): string {
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
