import type { Endpoint } from '@quire/contract'
import { type Store, StoreUnavailable } from '../ports/index.ts'

/**
 * Refuses additions while the store's disk has less free space than required. Deletions, reads and
 * operations that keep people able to act are still allowed. Errors: StoreUnavailable `full`.
 */
export async function requireRoomFor(
  store: Store,
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (store.requireRoom && input['dryRun'] !== true && adds(endpoint)) await store.requireRoom()
}

/** Whether there is room for more data. Errors: any except a full disk. */
export async function hasRoom({ requireRoom }: Pick<Store, 'requireRoom'>): Promise<boolean> {
  try {
    await requireRoom?.()
    return true
  } catch (error) {
    if (error instanceof StoreUnavailable && error.kind === 'full') return false
    throw error
  }
}

/**
 * A POST that is not a write does not accept an Idempotency-Key; neither does an upload, which has
 * its offset instead.
 */
function adds({ method, body, errors, withoutRoom }: Endpoint): boolean {
  if (withoutRoom === true) return false
  if (method === 'POST') return body === 'tus' || errors.includes('idempotency_mismatch')
  return method === 'PUT' || method === 'PATCH'
}
