import { QuireError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { Transaction, UserRecord } from '../ports/index.ts'

/** Keeps the ticket of a one-time link: its keyed hash, and whom it stands for now. */
export async function keepTicket(
  call: Call,
  tx: Transaction,
  { ticket, user, expiresAt }: { ticket: string; user: UserRecord; expiresAt: number },
): Promise<void> {
  await tx.ephemera.put(
    keyOf(await call.environment.secrets.hmac(ticket)),
    JSON.stringify([user.id, user.epoch]),
    expiresAt,
  )
}

/** The user of a ticket, which is worth nothing afterwards. Errors: `unauthorized`, one and the same for every ticket that is none. */
export async function redeemTicket(call: Call, ticket: string): Promise<UserRecord> {
  const hashes = await call.environment.secrets.hmacs(ticket)
  const kept = await call.transaction(async (tx) => {
    for (const hash of hashes) {
      const found = await tx.ephemera.take(keyOf(hash), call.now)
      if (found !== null) return found
    }
    return null
  })
  const [id, epoch] = kept === null ? [] : (JSON.parse(kept) as [string, number])
  const user = id === undefined ? null : await call.store.records.get('user', id)
  if (!user?.enabled || user.epoch !== epoch)
    throw new QuireError('unauthorized', 'This link was used or has run out: ask for a new one.')
  return user
}

function keyOf(hash: string): string {
  return `sign-in-ticket:${hash}`
}
