import type { Call } from '../call/call.ts'
import type { StoreReader } from '../ports/index.ts'

// A use within a minute of the last one noted is not noted: logins stay cheap.
const resolutionMs = 60_000
// 400 days: what is not used for longer has no last use worth telling.
const lifetimeMs = 400 * 24 * 60 * 60 * 1000

/** Notes that a secret issued a token now. */
export async function noteUse(call: Call, secretId: string): Promise<void> {
  const last = await lastUse(call.store, secretId, call.now)
  if (last !== null && call.now - last < resolutionMs) return
  await call.transaction((tx) => tx.ephemera.put(key(secretId), String(call.now), call.now + lifetimeMs))
}

/** When a secret last issued a token, Unix ms, to the minute; null when never (or not for 400 days). */
export async function lastUse(store: StoreReader, secretId: string, now: number): Promise<number | null> {
  const noted = await store.ephemera.get(key(secretId), now)
  return noted === null ? null : Number(noted)
}

function key(secretId: string): string {
  return `secret-use:${secretId}`
}
