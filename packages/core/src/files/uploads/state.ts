import { limits, QuireError, type Upload } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import type { EphemeraReader, Transaction } from '../../ports/index.ts'

/** An upload as kept: what counts of it, and who may go on with it. */
export interface UploadState {
  readonly id: string
  /** Kind and id of the caller who began it: nobody else sees it (TRUST S02). */
  readonly owner: string
  readonly length: number
  /** Bytes that are durable. All of them only once the asset is made. */
  readonly offset: number
  readonly metadata: Readonly<Record<string, string>>
  /** The header that said it. Absent where none did. */
  readonly metadataText?: string
  readonly itemId: string | null
  /** How often a request took over from one that fell silent and may still be about to write. */
  readonly slot: number
  /** The turn in which the last of the bytes that count were written. */
  readonly written: number
  /** Who is sending bytes now. */
  readonly lock: UploadLock | null
  /** Unix ms: from then on it is gone. */
  readonly expires: number
}

/** The one request that may send bytes, in whichever process: others wait until it is done or silent for too long. */
export interface UploadLock {
  readonly token: string
  /** The opening of the store that it was taken in; absent where several processes have the store open. */
  readonly opening?: string
  /** Unix ms. */
  readonly until: number
}

/** The owner that a caller is. */
export function ownerOf({ identity }: Call): string {
  return identity.owner
}

/** The caller's upload. Errors: `not_found` for what is absent, expired or another's: one and the same. */
export async function findUpload(call: Call, id: string, ephemera: EphemeraReader): Promise<UploadState> {
  const stored = await ephemera.get(keyOf(id), call.environment.clock.now())
  const state: UploadState | null = stored === null ? null : JSON.parse(stored)
  if (state?.owner === ownerOf(call)) return state
  throw new QuireError('not_found', 'There is no such upload of yours: begin a new one.')
}

/** Whether an upload of this id is known, whoever it belongs to. */
export async function isKnown(ephemera: EphemeraReader, id: string, now: number): Promise<boolean> {
  return (await ephemera.get(keyOf(id), now)) !== null
}

/** Keeps an upload until it expires. */
export async function storeUpload(store: Transaction, state: UploadState): Promise<UploadState> {
  await store.ephemera.put(keyOf(state.id), JSON.stringify(state), state.expires)
  return state
}

/** When an upload expires that bytes came of just now: a day later. */
export function expiryOf({ environment }: Call): number {
  return environment.clock.now() + limits.uploadLifetime
}

/** Forgets an upload, and that its owner has it open. */
export async function forgetUpload(call: WriteCall, { id, owner }: UploadState): Promise<void> {
  const now = call.environment.clock.now()
  await call.store.ephemera.take(keyOf(id), now)
  await storeOpen(call.store, {
    owner,
    ids: (await openIds(call.store, owner, now)).filter((other) => other !== id),
    now,
  })
}

/**
 * Counts an upload among those that its owner has open. Errors: `too_many_requests` when there are as many as one may have.
 */
export async function addOpen(call: WriteCall, { id, owner }: UploadState): Promise<void> {
  const now = call.environment.clock.now()
  const alive: string[] = []
  for (const other of await openIds(call.store, owner, now))
    if (await isKnown(call.store.ephemera, other, now)) alive.push(other)
  if (alive.length >= limits.openUploads)
    throw new QuireError(
      'too_many_requests',
      `You have ${alive.length} uploads open: end some, or give them up.`,
      {
        details: { retryAfter: 60 },
      },
    )
  await storeOpen(call.store, { owner, ids: [...alive, id], now })
}

/** An upload that became an asset is no longer open; its answer is kept for whoever lost it. */
export async function removeOpen(call: WriteCall, { id, owner }: UploadState): Promise<void> {
  const now = call.environment.clock.now()
  await storeOpen(call.store, {
    owner,
    ids: (await openIds(call.store, owner, now)).filter((other) => other !== id),
    now,
  })
}

async function openIds(store: Transaction, owner: string, now: number): Promise<string[]> {
  const stored = await store.ephemera.get(`uploads:${owner}`, now)
  return stored === null ? [] : JSON.parse(stored)
}

function storeOpen(
  store: Transaction,
  { owner, ids, now }: { owner: string; ids: readonly string[]; now: number },
): Promise<void> {
  // Longer than any upload that goes on lives without a new one: the list is looked through each time.
  return store.ephemera.put(`uploads:${owner}`, JSON.stringify(ids), now + 30 * limits.uploadLifetime)
}

function keyOf(id: string): string {
  return `upload:${id}`
}

/** An upload as answered. */
export function serializeUpload(state: UploadState): Upload {
  const { id, length, offset, expires, metadata, metadataText, itemId } = state
  const sent = metadataText !== undefined && { metadataText }
  return { id, length, offset, expiresDate: expires, metadata: { ...metadata }, ...sent, itemId }
}
