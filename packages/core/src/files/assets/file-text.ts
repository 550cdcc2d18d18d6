import { type BytesIn, QuireError } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { type Asset, assetIn } from '../../content/items/asset.ts'
import { openBlob } from './stored-bytes.ts'
import { receivedOf, type ReceivedFile } from './received-file.ts'
import type { JobContext } from '../../engine/job.ts'
import { pause } from '../../engine/event-loop.ts'
import { documentOf } from '../../content/items/document.ts'
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
 * The same file with its text, where it has one: before the transaction, in which nothing may be waited for. One that is known comes along, too:
 * until the file is saved, nobody may need it, and it may be swept. A file without text is a file all the same: what went wrong is told in the
 * log and fails no upload.
 */
export async function withText(call: Call, file: ReceivedFile): Promise<ReceivedFile> {
  const { hash, size, mimeType } = file.asset
  if (size === 0 || !isExtracted(mimeType)) return file
  const known = await call.store.texts.get(hash)
  if (known !== null) return file.withComment(known)
  try {
    const { extraction } = call.environment
    const text = await extraction.extract(() => openBlob(call, hash), { mimeType, size })
    return file.withComment(text)
  } catch (error) {
    notify(call, file.asset, error)
    return file
  }
}

/** The file that an operation was sent, with its text kept: to be called before what has the file is put. */
export async function takeFile(store: Transaction, file: BytesIn): Promise<Asset> {
  const { asset, text } = receivedOf(file)
  if (text !== null) await store.texts.put(asset.hash, text)
  return asset
}

function notify({ environment, requestId }: Call, { hash, mimeType, size }: Asset, error: unknown): void {
  environment.log.write('warn', 'extraction.refused', { hash, mimeType, size, ...whyOf(error), requestId })
}

/** Why no text was read: of our own refusals the words, of all other errors the kind alone, since what a library says may quote the file. */
function whyOf(error: unknown): { readonly kind: string; readonly reason: string } {
  if (error instanceof ExtractionRefused) return { kind: error.kind, reason: error.message }
  return { kind: 'failed', reason: nameOf(error) }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** What came of looking for the text of a file. `known`: there was one, or it is known that there is none; `later`: it was too slow, or no place was free. */
type Outcome = 'known' | 'extracted' | 'empty' | 'refused' | 'later' | 'failed' | 'missing' | 'corrupt'

/** Ms for which a file that has no text is not looked at again: 30 days. At half, broken files are read twice as often; at twice, a better parser reads them later. */
const refusedFor = 30 * 24 * 60 * 60 * 1000

// While others have all the places of the extraction: so often, a second apart.
const tries = 5
const waitMs = 1000

/**
 * Finds the text of every file of a repository that has none yet, one file after the other, and says it to the documents that name the file.
 * Begun again, it looks at those that are left.
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
      progress({ done: (done += 1), total: 0, message: 'files that text is looked for in' })
    } else if (fresh.has(asset.hash)) await call.write((call) => describe(call.store, held))
  }
  return { files: done, ...counts, findings: findings.stored }
}

function isText({ size, mimeType }: Asset): boolean {
  return size > 0 && isExtracted(mimeType)
}

interface Looking {
  readonly signal: AbortSignal
  readonly findings: Findings
}

/** Keeps the text of a file that has none. One that has none for good is remembered for a while: broken or encrypted, too large, or without words. */
async function textOf(call: Call, held: HeldFile, { signal, findings }: Looking): Promise<Outcome> {
  const { hash } = held.asset
  const { store, environment } = call
  const refusedKey = `text.none:${hash}`
  if ((await store.texts.get(hash)) !== null) return 'known'
  if ((await store.ephemera.get(refusedKey, environment.clock.now())) !== null) return 'known'
  const { outcome, text } = await extract(call, held, { signal, findings })
  if (text !== null) await call.write((call) => putText(call.store, held, text))
  if (outcome === 'empty' || outcome === 'refused') {
    const until = environment.clock.now() + refusedFor
    await call.write((call) => call.store.ephemera.put(refusedKey, outcome, until))
  }
  return outcome
}

interface Extracted {
  readonly outcome: Outcome
  readonly text: string | null
}

async function extract(call: Call, held: HeldFile, { signal, findings }: Looking): Promise<Extracted> {
  const { hash, size, mimeType } = held.asset
  // As `isText` has seen to it.
  if (!isExtracted(mimeType)) return { outcome: 'known', text: null }
  for (let left = tries; ; left -= 1) {
    try {
      const source = () => openBlob(call, hash)
      const text = await call.environment.extraction.extract(source, { mimeType, size })
      return { outcome: text === null ? 'empty' : 'extracted', text }
    } catch (error) {
      if (!isBusy(error) || left === 1)
        return { outcome: reported(call, held, { error, findings }), text: null }
      await pause(waitMs, signal)
      signal.throwIfAborted()
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof ExtractionRefused && error.kind === 'busy'
}

/** Says why no text was read. Errors: those that are no file's, as when the storage does not answer. */
function reported(
  call: Call,
  { asset: { hash, size, mimeType }, head, version }: HeldFile,
  { error, findings }: { error: unknown; findings: Findings },
): Outcome {
  const { log } = call.environment
  const outcome = outcomeOf(error)
  findings.add({ what: outcome, file: hash, item: head.id, version, package: head.packageId })
  const about = { hash, mimeType, size, requestId: call.requestId }
  if (outcome === 'corrupt') log.write('error', 'blob.corrupt', about)
  // Of a missing one `openBlob` has told.
  else if (outcome !== 'missing') log.write('warn', 'extraction.refused', { ...about, ...whyOf(error) })
  return outcome
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof StoreUnavailable || error instanceof BlobsUnavailable) throw error
  if (error instanceof BlobCorrupt) return 'corrupt'
  if (error instanceof QuireError && error.code === 'not_found') return 'missing'
  if (!(error instanceof ExtractionRefused)) return 'failed'
  return error.kind === 'unreadable' || error.kind === 'large' ? 'refused' : 'later'
}

async function putText(store: Transaction, held: HeldFile, text: string): Promise<void> {
  await store.texts.put(held.asset.hash, text)
  await describe(store, held)
}

/** Says to the document of a live head what is found in its file. */
async function describe(store: Transaction, { branch, head: { id }, asset }: HeldFile): Promise<void> {
  const head = await store.entities.get(branch, 'item', id)
  const isOwn = head?.packageId === branch.packageId && head.deletedDate === null
  if (!head || !isOwn || assetIn(head.body)?.hash !== asset.hash) return
  const type = await store.records.find('type', `name:${head.type}`)
  await store.entities.describe(branch, head, documentOf(head, type))
}
