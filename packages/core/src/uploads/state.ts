import { limits, QuireError, type Upload } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { EphemeraReader, Transaction } from '../ports/index.ts'

/** An upload as kept: what counts of it, and who may go on with it. */
export interface UploadState {
  readonly id: string
  /** Kind and id of who began it: nobody else sees it (TRUST finding 7). */
  readonly owner: string
  readonly length: number
  /** Bytes that are durable. All of them only once the asset is made. */
  readonly offset: number
  readonly metadata: Readonly<Record<string, string>>
  readonly itemId: string | null
  /** How often a request took over from one that fell silent and may still be about to write. */
  readonly turn: number
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
  /** Unix ms. */
  readonly until: number
}

/** The owner that a caller is. */
export function ownerOf({ identity }: Call): string {
  return identity.owner
}

/** The caller's upload. Errors: `not_found` for what is absent, expired or another's: one and the same. */
export async function findUpload(call: Call, id: string, ephemera: EphemeraReader): Promise<UploadState> {
  const kept = await ephemera.get(keyOf(id), call.environment.clock.now())
  const state: UploadState | null = kept === null ? null : JSON.parse(kept)
  if (state?.owner === ownerOf(call)) return state
  throw new QuireError('not_found', 'There is no such upload of yours: begin a new one.')
}

/** Whether an upload of this id is known, whoever it belongs to. */
export async function isKnown(ephemera: EphemeraReader, id: string, now: number): Promise<boolean> {
  return (await ephemera.get(keyOf(id), now)) !== null
}

/** Keeps an upload until it expires. */
export async function keepUpload(tx: Transaction, state: UploadState): Promise<UploadState> {
  await tx.ephemera.put(keyOf(state.id), JSON.stringify(state), state.expires)
  return state
}

/** When an upload expires that bytes came of just now: a day later. */
export function expiryOf({ environment }: Call): number {
  return environment.clock.now() + limits.uploadLifetime
}

/** Forgets an upload, and that its owner has it open. */
export async function forgetUpload(call: Call, tx: Transaction, { id, owner }: UploadState): Promise<void> {
  const now = call.environment.clock.now()
  await tx.ephemera.take(keyOf(id), now)
  await keepOpen(tx, { owner, ids: (await openIds(tx, owner, now)).filter((other) => other !== id), now })
}

/**
 * Counts an upload among those that its owner has open. Errors: `too_many_requests` when there are as many as one may have.
 */
export async function addOpen(call: Call, tx: Transaction, { id, owner }: UploadState): Promise<void> {
  const now = call.environment.clock.now()
  const alive: string[] = []
  for (const other of await openIds(tx, owner, now))
    if (await isKnown(tx.ephemera, other, now)) alive.push(other)
  if (alive.length >= limits.openUploads)
    throw new QuireError(
      'too_many_requests',
      `You have ${alive.length} uploads open: end some, or give them up.`,
      {
        details: { retryAfter: 60 },
      },
    )
  await keepOpen(tx, { owner, ids: [...alive, id], now })
}

/** An upload that became an asset is no longer open; its answer is kept for whoever lost it. */
export async function removeOpen(call: Call, tx: Transaction, { id, owner }: UploadState): Promise<void> {
  const now = call.environment.clock.now()
  await keepOpen(tx, { owner, ids: (await openIds(tx, owner, now)).filter((other) => other !== id), now })
}

async function openIds(tx: Transaction, owner: string, now: number): Promise<string[]> {
  const kept = await tx.ephemera.get(`uploads:${owner}`, now)
  return kept === null ? [] : JSON.parse(kept)
}

function keepOpen(
  tx: Transaction,
  { owner, ids, now }: { owner: string; ids: readonly string[]; now: number },
): Promise<void> {
  // Longer than any upload that goes on lives without a new one: the list is looked through each time.
  return tx.ephemera.put(`uploads:${owner}`, JSON.stringify(ids), now + 30 * limits.uploadLifetime)
}

function keyOf(id: string): string {
  return `upload:${id}`
}

/** An upload as answered. */
export function presentUpload({ id, length, offset, expires, metadata, itemId }: UploadState): Upload {
  return { id, length, offset, expiresDate: expires, metadata: { ...metadata }, itemId }
}
