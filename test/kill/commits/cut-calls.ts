import { QuireError, type Api, type CallOptions } from '@quire/contract'
import { StoreUnavailable } from '@quire/core/ports'
import { contentOf, hashOf } from '../content.ts'
import type { Ledger } from '../ledger.ts'
import { addEffect, type Effects } from '../processes/effects.ts'
import { repository } from '../writer.ts'

/** Two engines, and what they acknowledged. */
export interface Cut {
  /** Whose COMMIT is cut. */
  readonly cut: Api
  readonly sound: Api
  readonly ledger: Ledger
  readonly effects: Effects
  readonly seen: { acknowledged: number; unknown: number; effective: number; unresolved: number }
  readonly findings: string[]
}

/** Who makes an item, publishes it and changes it, in three turns. */
export interface Author {
  readonly name: string
  item: OwnItem | null
}

interface OwnItem {
  readonly id: string
  readonly tag: string
}

/** An item as answered, as far as it is looked at, with its ETag. */
interface CallReport {
  readonly item: CallView
  readonly tag: string
}

interface CallView {
  readonly id: string
  readonly latestVersion: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** What is asked of an engine. */
type Ask = (api: Api, options: Answering) => Promise<CallView>

type Answering = Required<Pick<CallOptions, 'onAnswer'>>

// How often a call is sent again, to one engine and the other.
const mostTries = 10

/** What an author does in a turn; resolves when it is known what came of it. No version is published twice. */
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

/** A change has no key, it has an ETag: that another revision is there says that it took effect, since nobody else changes the item. */
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
        throw new Error(`${key} met another revision`, { cause: error })
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
  if (item.fields['key'] !== key) findings.push(`${key} was answered with ${String(item.fields['key'])}`)
  await ledger.noteAcknowledged({ key, id, version })
  addEffect(effects, { event, id, version })
}

/** The answer to a call; sent again, to the other engine first, while nobody knows. Null: it stays unknown. */
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
  findings.push(`${key} was not settled in ${mostTries} tries`)
  return null
}

/** Null: the engine says that it cannot tell, or not now. Errors: any other. */
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
