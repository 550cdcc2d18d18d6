import { type BytesIn, QuireError } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { type Asset, assetIn } from '../../content/items/asset.ts'
import { openBlob } from './stored-bytes.ts'
import { receivedOf, type ReceivedFile } from './received-file.ts'
import type { JobContext } from '../../engine/job.ts'
import { pause } from '../../engine/event-loop.ts'
import { documentOf } from '../../content/items/document.ts'
import { typeIn } from '../../content/types/find.ts'
import { createFindings, type Findings } from './find.ts'
import { heldFiles, type HeldFile } from './held-files.ts'
import { createHashSet } from './hash-set.ts'
import {
  ExtractionRefused,
  isExtracted,
  type Transaction,
  BlobCorrupt,
  BlobsUnavailable,
  StoreUnavailable,
  type JsonObject,
} from '../../ports/index.ts'

/**
 * Adds the text of a file, if it has one. Called before the transaction, which must not wait. A
 * known text is added too, because it may be swept until a saved version needs the file. A file
 * whose text cannot be extracted is accepted; the error is logged and does not fail the upload.
 */
export async function withText(call: Call, file: ReceivedFile): Promise<ReceivedFile> {
  const { hash, size, mimeType } = file.asset
  if (size === 0 || !isExtracted(mimeType)) return file
  const known = await call.store.texts.get(hash)
  if (known !== null) return file.withText(known)
  try {
    const { extraction } = call.environment
    const text = await extraction.extract(() => openBlob(call, hash), { mimeType, size })
    return file.withText(text)
  } catch (error) {
    logRefusal(call, file.asset, error)
    return file
  }
}

/**
 * The asset of a sent file. Stores its text; must be called before the entity that has the file is
 * written.
 */
export async function takeFile(store: Transaction, file: BytesIn): Promise<Asset> {
  const { asset, text } = receivedOf(file)
  if (text !== null) await store.texts.put(asset.hash, text)
  return asset
}

function logRefusal({ environment, requestId }: Call, { hash, mimeType, size }: Asset, error: unknown): void {
  environment.log.write('warn', 'extraction.refused', { hash, mimeType, size, ...reasonOf(error), requestId })
}

/**
 * Why no text was extracted. For our own refusals it is the message; for all other errors only the
 * kind, because a library's message may quote the file.
 */
function reasonOf(error: unknown): { readonly kind: string; readonly reason: string } {
  if (error instanceof ExtractionRefused) return { kind: error.kind, reason: error.message }
  return { kind: 'failed', reason: nameOf(error) }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/**
 * The result of extracting the text of a file. `known`: its text is stored already, or it is known
 * to have none; `later`: extraction was too slow, no slot was free, or its parser is not installed.
 */
type Outcome = 'known' | 'extracted' | 'empty' | 'refused' | 'later' | 'failed' | 'missing' | 'corrupt'

/**
 * Ms before a file without text is tried again: 30 days. At half, broken files are read twice as
 * often; at twice, a better parser reads them later.
 */
const refusedFor = 30 * 24 * 60 * 60 * 1000

// Number of tries, one second apart, while other work has all slots of the extraction.
const tries = 5
const waitMs = 1000

/**
 * Extracts the text of every file of a repository that has none yet, one after another, and adds it
 * to the search documents that name the file. When it is started again, it processes only the
 * remaining files.
 */
export async function syncTexts(
  call: Call,
  repositoryId: string,
  { signal, progress }: JobContext,
): Promise<JsonObject> {
  const findings = createFindings()
  const counts = { known: 0, extracted: 0, empty: 0, refused: 0, later: 0, failed: 0, missing: 0, corrupt: 0 }
  const seen = createHashSet()
  const fresh = createHashSet()
  let done = 0
  for await (const held of heldFiles(call, repositoryId)) {
    signal.throwIfAborted()
    const { asset } = held
    if (!isText(asset)) continue
    if (seen.add(asset.hash)) {
      const outcome = await textOf(call, held, { signal, findings })
      counts[outcome] += 1
      if (outcome === 'extracted') fresh.add(asset.hash)
      progress({ done: (done += 1), total: 0, message: 'files searched for text' })
    } else if (fresh.has(asset.hash)) await call.write((call) => describe(call, held))
  }
  return { files: done, ...counts, findings: findings.stored }
}

function isText({ size, mimeType }: Asset): boolean {
  return size > 0 && isExtracted(mimeType)
}

interface ExtractionContext {
  readonly signal: AbortSignal
  readonly findings: Findings
}

/**
 * Stores the text of a file that has none. Files that have no text for good (broken or encrypted,
 * too large, or without words) are remembered for a while.
 */
async function textOf(call: Call, held: HeldFile, { signal, findings }: ExtractionContext): Promise<Outcome> {
  const { hash } = held.asset
  const { store, environment } = call
  const refusedKey = `text.none:${hash}`
  if ((await store.texts.get(hash)) !== null) return 'known'
  if ((await store.ephemera.get(refusedKey, environment.clock.now())) !== null) return 'known'
  const { outcome, text } = await extract(call, held, { signal, findings })
  if (text !== null) await call.write((call) => putText(call, held, text))
  if (outcome === 'empty' || outcome === 'refused') {
    const until = environment.clock.now() + refusedFor
    await call.write((call) => call.store.ephemera.put(refusedKey, outcome, until))
  }
  return outcome
}

interface ExtractionResult {
  readonly outcome: Outcome
  readonly text: string | null
}

async function extract(
  call: Call,
  held: HeldFile,
  { signal, findings }: ExtractionContext,
): Promise<ExtractionResult> {
  const { hash, size, mimeType } = held.asset
  // Already checked by `isText`; this narrows the type.
  if (!isExtracted(mimeType)) return { outcome: 'known', text: null }
  for (let left = tries; ; left -= 1) {
    try {
      const source = () => openBlob(call, hash)
      const text = await call.environment.extraction.extract(source, { mimeType, size })
      return { outcome: text === null ? 'empty' : 'extracted', text }
    } catch (error) {
      if (!isBusy(error) || left === 1)
        return { outcome: recordFailure(call, held, { error, findings }), text: null }
      await pause(waitMs, signal)
      signal.throwIfAborted()
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof ExtractionRefused && error.kind === 'busy'
}

/**
 * Records why no text was extracted. Errors: those not caused by the file, for example when the
 * storage is unavailable.
 */
function recordFailure(
  call: Call,
  { asset: { hash, size, mimeType }, head, version }: HeldFile,
  { error, findings }: { error: unknown; findings: Findings },
): Outcome {
  const { log } = call.environment
  const outcome = outcomeOf(error)
  findings.add({ what: outcome, file: hash, item: head.id, version, package: head.packageId })
  const about = { hash, mimeType, size, requestId: call.requestId }
  if (outcome === 'corrupt') log.write('error', 'blob.corrupt', about)
  // `openBlob` has already logged a missing file.
  else if (outcome !== 'missing') log.write('warn', 'extraction.refused', { ...about, ...reasonOf(error) })
  return outcome
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof StoreUnavailable || error instanceof BlobsUnavailable) throw error
  if (error instanceof BlobCorrupt) return 'corrupt'
  if (error instanceof QuireError && error.code === 'not_found') return 'missing'
  if (!(error instanceof ExtractionRefused)) return 'failed'
  return error.kind === 'unreadable' || error.kind === 'large' ? 'refused' : 'later'
}

async function putText(call: WriteCall, held: HeldFile, text: string): Promise<void> {
  await call.store.texts.put(held.asset.hash, text)
  await describe(call, held)
}

/** Updates the search document of a live head with the text of its file. */
async function describe(call: WriteCall, { branch, head: { id }, asset }: HeldFile): Promise<void> {
  const { entities, records } = call.store
  const head = await entities.get(branch, 'item', id)
  const isOwn = head?.packageId === branch.packageId && head.deletedDate === null
  if (!head || !isOwn || assetIn(head.body)?.hash !== asset.hash) return
  const type = await records.find('type', `name:${head.type}`)
  await entities.describe(
    branch,
    head,
    documentOf(head, type && (await typeIn(call, type, head.repositoryId))),
  )
}
