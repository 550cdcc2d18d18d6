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

// After so many ms of silence another request may go on: what a crash leaves locked. At half of it a slow branch loses its lock
// between two packets, at twice clients give up before it is free.
const leaseMs = 5000

// So often a sender says that it is still there, at most.
const renewMs = 1500

/** An upload that a request holds the lock of. */
export interface LockedUpload extends UploadState {
  readonly lock: UploadLock
  /** Whether another held it and fell silent: it may still be about to write. */
  readonly takesOver: boolean
}

/**
 * Takes the lock of an upload for bytes that begin at `offset`. Errors: `not_found`; `upload_locked` while another sends;
 * `offset_conflict` with the right one.
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
  const inUse = await call.write(take, { synced: false })
  if ('takesOver' in inUse) return inUse
  const { offset: right, itemId } = await syncedUpload(call, id)
  const message =
    itemId === null
      ? `The upload is at ${right}, not at ${offset}.`
      : `The upload is whole: it became the item ${itemId}.`
  throw new QuireError('offset_conflict', message, {
    details: { offset: right },
  })
}

/** The caller's upload, synced: what is answered of it holds after a power cut too. Errors: `not_found`. */
export async function syncedUpload(call: Call, id: string): Promise<UploadState> {
  const upload = await findUpload(call, id, call.store.ephemera)
  // What became of it was synced when its lock was given back.
  if (upload.lock === null) return upload
  return call.write(async (call) => storeUpload(call.store, await findUpload(call, id, call.store.ephemera)))
}

/** Errors: `upload_locked`. */
export function requireUnlocked(call: Call, state: UploadState): void {
  const wait = (holderOf(call, state)?.until ?? 0) - call.environment.clock.now()
  if (wait > 0) throw new QuireError('upload_locked', undefined, { details: { retryAfter: wait / 1000 } })
}

/** The lock, unless a process had it that is gone for certain, with all that it was about to write: another one has the store open since. */
function holderOf({ environment }: Call, { lock }: UploadState): UploadLock | null {
  const { opening } = environment.store
  return opening !== undefined && lock?.opening !== opening ? null : lock
}

function newLock({ environment }: Call): UploadLock {
  const { ids, clock, store } = environment
  const inUse = { token: ids.secret(12), until: clock.now() + leaseMs }
  return store.opening === undefined ? inUse : { ...inUse, opening: store.opening }
}

/**
 * Writes what became of a locked upload. How far it is on its way is not synced: a power cut takes at most this back, which the sender still
 * has, and many uploads would have everybody wait for the disk several times a second. What is answered is. Errors: `upload_locked` when the lock went to another; `not_found`. */
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
    const came =
      change.offset === undefined
        ? {}
        : { offset: change.offset, written: state.slot, expires: expiryOf(call) }
    return storeUpload(call.store, { ...state, ...came, lock: next })
  }
  return call.write(update, { synced: isDone })
}

/** Errors: `upload_locked` when the lock went to another. */
export function requireOwnLock(state: UploadState, lock: UploadLock): UploadState {
  if (state.lock?.token === lock.token) return state
  throw new QuireError('upload_locked')
}

/** The bytes of the request that holds the lock: it is kept alive while they come, and no byte passes once it is lost. */
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

/** Holds the lock for as long as some work takes of which no byte tells that it goes on. Errors: those of the work. */
export async function holdingLock<T>(
  call: Call,
  upload: { id: string; lock: UploadLock },
  work: () => Promise<T>,
): Promise<T> {
  // A lock that is lost is found to be when the work is done.
  const renew = () => void updateLocked(call, upload, { isDone: 'no' }).catch(() => undefined)
  const timer = setInterval(renew, renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
