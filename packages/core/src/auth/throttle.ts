import { TokenError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { digest } from '../call/digest.ts'

/** Failures a minute, by address and by client id (TRUST 4.2). */
const failuresAllowed = 10
const windowMs = 60_000

/**
 * Refuses an address that failed too often. The count of a client id only turns the answer to a wrong secret into 429:
 * others cannot lock an account out. Errors: TokenError 429.
 */
export async function requireCalmAddress(call: Call): Promise<void> {
  const { address } = call.origin
  if (address === undefined) return
  const count = Number((await call.store.ephemera.get(addressKey(address), call.now)) ?? 0)
  if (count >= failuresAllowed) throw tooMany()
}

/** Counts a failure and gives the error to answer: 401 `invalid_client`, or 429. */
export async function countFailure(call: Call, clientId: string): Promise<TokenError> {
  const { address } = call.origin
  // Who mistakes one for the other sends a secret as an id: what is kept is its hash.
  const keys = [
    `token-failures:id:${await digest(clientId)}`,
    ...(address === undefined ? [] : [addressKey(address)]),
  ]
  const counts = await call.transaction(async (tx) => {
    const counted: number[] = []
    for (const key of keys) counted.push(await tx.ephemera.increment(key, call.now, call.now + windowMs))
    return counted
  })
  return Math.max(...counts) > failuresAllowed ? tooMany() : new TokenError(401, 'invalid_client')
}

function addressKey(address: string): string {
  return `token-failures:address:${address}`
}

function tooMany(): TokenError {
  return new TokenError(429, 'too_many_requests', windowMs / 1000)
}
