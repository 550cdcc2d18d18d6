import { QuireError, type Api, type CallOptions } from '@quire/contract'
import { StoreUnavailable } from '@quire/core/ports'
import { contentOf, hashOf } from '../content.ts'
import type { Ledger } from '../ledger.ts'
import { addEffect, type Effects } from '../processes/effects.ts'
import { repository } from '../writer.ts'

/** Two engines, and what they acknowledged. */
export interface Cut {
  /** The engine whose COMMIT is cut. */
  readonly cut: Api
  readonly sound: Api
  readonly ledger: Ledger
  readonly effects: Effects
  readonly seen: { acknowledged: number; unknown: number; effective: number; unresolved: number }
  readonly findings: string[]
}

/** Creates an item, publishes it and updates it, in three slots. */
export interface Author {
  readonly name: string
  item: OwnItem | null
}

interface OwnItem {
  readonly id: string
  readonly tag: string
}

/** The parts of an answered item that are checked, with its ETag. */
interface CallReport {
  readonly item: CallView
  readonly tag: string
}

interface CallView {
  readonly id: string
  readonly latestVersion: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** A request to an engine. */
type Ask = (api: Api, options: Answering) => Promise<CallView>

type Answering = Required<Pick<CallOptions, 'onAnswer'>>

// How often a call is repeated, alternating between the engines.
const mostTries = 10

/**
 * Performs the author's next action. Resolves once its outcome is known. No version is published
 * twice.
 */
export async function act(run: Cut, author: Author, slot: number): Promise<void> {
  const key = `${author.name}-${slot}`
  const { item } = author
  const step = (slot + Math.floor(slot / 3)) % 3
  if (item === null || step === 0) author.item = await create(run, key)
  else if (step === 1) author.item = await publish(run, key, item)
  else author.item = await update(run, key, item)
}

async function create(run: Cut, key: string): Promise<Author['item']> {
  const content = contentOf(key)
  await run.ledger.noteSent({ key, method: 'POST', path: 'items', body: '', hash: hashOf(content) })
  const input = { repositoryId: repository, type: 'note', ...content }
  const reported = await resolve(run, key, (api, options) =>
    api.items.create(input, { ...options, idempotencyKey: key }),
  )
  if (reported) await noteContent(run, { key, event: 'ITEM_CREATED' }, reported)
  return reported && ownItem(reported)
}

async function publish(run: Cut, key: string, { id }: OwnItem): Promise<Author['item']> {
  const reported = await resolve(run, key, (api, options) =>
    api.items.publish({ configId: repository, id }, { ...options, idempotencyKey: key }),
  )
  if (reported) addEffect(run.effects, { event: 'ITEM_PUBLISHED', id, version: reported.item.latestVersion })
  return reported && ownItem(reported)
}

/**
 * An update has no idempotency key, but an ETag. If there is another revision, the update took
 * effect, since nobody else changes the item.
 */
async function update(run: Cut, key: string, { id, tag }: OwnItem): Promise<Author['item']> {
  const content = contentOf(key)
  await run.ledger.noteSent({ key, method: 'PATCH', path: 'items', body: '', hash: hashOf(content) })
  const reported = await resolve(run, key, async (api, options) => {
    try {
      return await api.items.update({ configId: repository, id, ...content }, { ...options, ifMatch: tag })
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'precondition_failed') throw error
      const { latestVersion, fields } = await api.items.get({ configId: repository, id }, options)
      if (fields?.['key'] !== key || latestVersion === undefined)
        throw new Error(`${key} found another revision`, { cause: error })
      run.seen.effective += 1
      return { id, latestVersion, fields }
    }
  })
  if (reported) await noteContent(run, { key, event: 'ITEM_UPDATED' }, reported)
  return reported && ownItem(reported)
}

function ownItem({ item: { id }, tag }: CallReport): OwnItem {
  return { id, tag }
}

async function noteContent(
  { ledger, effects, findings }: Cut,
  { key, event }: { key: string; event: string },
  { item }: CallReport,
): Promise<void> {
  const { id, latestVersion: version } = item
  if (item.fields['key'] !== key)
    findings.push(`${key} was answered with the key ${String(item.fields['key'])}`)
  await ledger.noteAcknowledged({ key, id, version })
  addEffect(effects, { event, id, version })
}

/**
 * Returns the answer to a call. While the outcome is unknown, the call is repeated, first to the
 * other engine. Null: it stays unknown.
 */
async function resolve(
  { cut, sound, seen, findings }: Cut,
  key: string,
  ask: Ask,
): Promise<CallReport | null> {
  const first = await attempt(cut, ask)
  if (first) {
    seen.acknowledged += 1
    return first.reported
  }
  seen.unknown += 1
  for (let tries = 0; tries < mostTries; tries++) {
    const answer = await attempt(tries % 2 === 0 ? sound : cut, ask)
    if (!answer) continue
    if (answer.replayed) seen.effective += 1
    return answer.reported
  }
  seen.unresolved += 1
  findings.push(`${key} was not resolved in ${mostTries} tries`)
  return null
}

/** Null: the outcome is unknown, or the engine is unavailable. Errors: any other failure. */
async function attempt(api: Api, ask: Ask): Promise<{ reported: CallReport; replayed: boolean } | null> {
  let tag = ''
  let replayed = false
  const onAnswer: CallOptions['onAnswer'] = (about) => {
    tag = about.etag ?? ''
    replayed = about.replayed
  }
  try {
    return { reported: { item: await ask(api, { onAnswer }), tag }, replayed }
  } catch (error) {
    if (isUnavailable(error)) return null
    throw error
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable || (error instanceof QuireError && error.code === 'unavailable')
}
