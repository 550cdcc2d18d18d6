import type { Endpoint } from '@quire/contract'
import { type Store, StoreUnavailable } from '../ports/index.ts'

/**
 * Lets nothing be added while the disk of the store has less free than must stay so. What gives room back, what is read and what keeps people able to
 * act goes on. Errors: StoreUnavailable `full`.
 */
export async function requireRoomFor(
  store: Store,
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (store.requireRoom && input['dryRun'] !== true && adds(endpoint)) await store.requireRoom()
}

/** Whether there is room for more. Errors: any but that there is none. */
export async function hasRoom({ requireRoom }: Pick<Store, 'requireRoom'>): Promise<boolean> {
  try {
    await requireRoom?.()
    return true
  } catch (error) {
    if (error instanceof StoreUnavailable && error.kind === 'full') return false
    throw error
  }
}

/** A POST that is no write takes no Idempotency-Key; an upload takes none because it has its offset. */
function adds({ method, body, errors, withoutRoom }: Endpoint): boolean {
  if (withoutRoom === true) return false
  if (method === 'POST') return body === 'tus' || errors.includes('idempotency_mismatch')
  return method === 'PUT' || method === 'PATCH'
}
