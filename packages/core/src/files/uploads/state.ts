import { limits, QuireError, type Upload } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import type { EphemeraReader, Transaction } from '../../ports/index.ts'

/** The stored state of an upload. */
export interface UploadState {
  readonly id: string
  /** Identifies the caller who began it; nobody else can see it (TRUST S02). */
  readonly owner: string
  readonly length: number
  /** Number of durable bytes. Equals `length` only when the asset exists. */
  readonly offset: number
  readonly metadata: Readonly<Record<string, string>>
  /** The original metadata header; absent when there was none. */
  readonly metadataText?: string
  readonly itemId: string | null
  /**
   * How often a request took over from one that stopped sending and may still be about to write.
   */
  readonly slot: number
  /** The slot in which the last durable bytes were written. */
  readonly written: number
  /** The request that is sending bytes now. */
  readonly lock: UploadLock | null
  /** Unix ms from which it no longer exists. */
  readonly expires: number
}

/**
 * The one request that may send bytes, in any process. Others have to wait until it is done or has
 * been silent for too long.
 */
export interface UploadLock {
  readonly token: string
  /**
   * The opening of the store in which the lock was taken; absent when several processes have the
   * store open.
   */
  readonly opening?: string
  /** Unix ms. */
  readonly until: number
}

/** The value of `owner` for the caller. */
export function ownerOf({ identity }: Call): string {
  return identity.owner
}

/**
 * The caller's upload. Errors: `not_found`, the same for absent, expired and other callers'
 * uploads.
 */
export async function findUpload(call: Call, id: string, ephemera: EphemeraReader): Promise<UploadState> {
  const stored = await ephemera.get(keyOf(id), call.environment.clock.now())
  const state: UploadState | null = stored === null ? null : JSON.parse(stored)
  if (state?.owner === ownerOf(call)) return state
  throw new QuireError('not_found', 'There is no such upload of yours: begin a new one.')
}

/** Whether an upload with this id exists, for any owner. */
export async function isKnown(ephemera: EphemeraReader, id: string, now: number): Promise<boolean> {
  return (await ephemera.get(keyOf(id), now)) !== null
}

/** Stores an upload until it expires. */
export async function storeUpload(store: Transaction, state: UploadState): Promise<UploadState> {
  await store.ephemera.put(keyOf(state.id), JSON.stringify(state), state.expires)
  return state
}

/** The expiry of an upload that has just received bytes: one day from now. */
export function expiryOf({ environment }: Call): number {
  return environment.clock.now() + limits.uploadLifetime
}

/** Deletes an upload and removes it from its owner's open uploads. */
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
 * Adds an upload to its owner's open uploads. Errors: `too_many_requests` when the owner has
 * reached the limit.
 */
export async function addOpen(call: WriteCall, { id, owner }: UploadState): Promise<void> {
  const now = call.environment.clock.now()
  const alive: string[] = []
  for (const other of await openIds(call.store, owner, now))
    if (await isKnown(call.store.ephemera, other, now)) alive.push(other)
  if (alive.length >= limits.openUploads)
    throw new QuireError(
      'too_many_requests',
      `You have ${alive.length} uploads open: complete or cancel some of them.`,
      {
        details: { retryAfter: 60 },
      },
    )
  await storeOpen(call.store, { owner, ids: [...alive, id], now })
}

/**
 * Removes a completed upload from the open ones. Its state stays, for clients that lost the answer.
 */
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
  // Longer than the lifetime of any active upload; the list is cleaned each time an upload is
  // added.
  return store.ephemera.put(`uploads:${owner}`, JSON.stringify(ids), now + 30 * limits.uploadLifetime)
}

function keyOf(id: string): string {
  return `upload:${id}`
}

/** An upload in the form that is sent to callers. */
export function serializeUpload(state: UploadState): Upload {
  const { id, length, offset, expires, metadata, metadataText, itemId } = state
  const sent = metadataText !== undefined && { metadataText }
  return { id, length, offset, expiresDate: expires, metadata: { ...metadata }, ...sent, itemId }
}

// Ms of silence after which another request may continue; a crash leaves the lock held. At half, a
// slow connection loses its lock between two packets; at twice, clients give up before it is free.
const leaseMs = 5000

// Minimum ms between renewals of a lock.
const renewMs = 1500

/** An upload whose lock this request holds. */
export interface LockedUpload extends UploadState {
  readonly lock: UploadLock
  /** Whether another request held the lock and became silent: it may still be about to write. */
  readonly takesOver: boolean
}

/**
 * Takes the lock of an upload for bytes that begin at `offset`. Errors: `not_found`;
 * `upload_locked` while another request is sending; `offset_conflict` with the correct offset.
 */
export async function lockUpload(call: Call, id: string, offset: number): Promise<LockedUpload> {
  const take = async (call: WriteCall) => {
    const state = await findUpload(call, id, call.store.ephemera)
    requireUnlocked(call, state)
    if (state.offset !== offset || state.itemId !== null) return state
    const takesOver = holderOf(call, state) !== null
    const locked = { ...state, lock: newLock(call), slot: state.slot + (takesOver ? 1 : 0) }
    await storeUpload(call.store, locked)
    return { ...locked, takesOver }
  }
  const result = await call.write(take, { synced: false })
  if ('takesOver' in result) return result
  const { offset: right, itemId } = await syncedUpload(call, id)
  const message =
    itemId === null
      ? `The upload is at ${right}, not at ${offset}.`
      : `The upload is complete: it became the item ${itemId}.`
  throw new QuireError('offset_conflict', message, {
    details: { offset: right },
  })
}

/**
 * The caller's upload, synced to disk, so that the answer stays true after a power failure. Errors:
 * `not_found`.
 */
export async function syncedUpload(call: Call, id: string): Promise<UploadState> {
  const upload = await findUpload(call, id, call.store.ephemera)
  // The state was synced when the lock was released.
  if (upload.lock === null) return upload
  return call.write(async (call) => storeUpload(call.store, await findUpload(call, id, call.store.ephemera)))
}

/** Errors: `upload_locked`. */
export function requireUnlocked(call: Call, state: UploadState): void {
  const wait = (holderOf(call, state)?.until ?? 0) - call.environment.clock.now()
  if (wait > 0) throw new QuireError('upload_locked', undefined, { details: { retryAfter: wait / 1000 } })
}

/**
 * The lock, unless its process and all of its pending writes are certainly gone, because the store
 * has been opened again since.
 */
function holderOf({ environment }: Call, { lock }: UploadState): UploadLock | null {
  const { opening } = environment.store
  return opening !== undefined && lock?.opening !== opening ? null : lock
}

function newLock({ environment }: Call): UploadLock {
  const { ids, clock, store } = environment
  const lock = { token: ids.secret(12), until: clock.now() + leaseMs }
  return store.opening === undefined ? lock : { ...lock, opening: store.opening }
}

/**
 * Updates a locked upload. Intermediate progress is not synced: at most, a power failure loses
 * progress whose bytes the client still has, and many uploads would make everybody wait for the
 * disk several times a second. Final updates are synced. Errors: `upload_locked` when another
 * request has the lock; `not_found`.
 */
export async function updateLocked(
  call: Call,
  { id, lock }: { id: string; lock: UploadLock },
  change: { offset?: number; isDone: 'yes' | 'no' },
): Promise<UploadState> {
  const isDone = change.isDone === 'yes'
  const update = async (call: WriteCall) => {
    const state = requireOwnLock(await findUpload(call, id, call.store.ephemera), lock)
    const until = call.environment.clock.now() + leaseMs
    const next = isDone ? null : { ...lock, until }
    const progress =
      change.offset === undefined
        ? {}
        : { offset: change.offset, written: state.slot, expires: expiryOf(call) }
    return storeUpload(call.store, { ...state, ...progress, lock: next })
  }
  return call.write(update, { synced: isDone })
}

/** Errors: `upload_locked` when another request has the lock. */
export function requireOwnLock(state: UploadState, lock: UploadLock): UploadState {
  if (state.lock?.token === lock.token) return state
  throw new QuireError('upload_locked')
}

/**
 * The bytes of the request that holds the lock. Renews the lock while they arrive; no byte passes
 * after it is lost.
 */
export async function* withLock(
  call: Call,
  upload: { id: string; lock: UploadLock },
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { clock } = call.environment
  let renewed = clock.now()
  for await (const chunk of bytes) {
    if (clock.now() - renewed > renewMs) {
      await updateLocked(call, upload, { isDone: 'no' })
      renewed = clock.now()
    }
    yield chunk
  }
}

/** Renews the lock while work runs during which no bytes arrive. Errors: those of the work. */
export async function holdingLock<T>(
  call: Call,
  upload: { id: string; lock: UploadLock },
  work: () => Promise<T>,
): Promise<T> {
  // A lost lock is detected when the work is done.
  const renew = () => void updateLocked(call, upload, { isDone: 'no' }).catch(() => undefined)
  const timer = setInterval(renew, renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
