import { ConnectionLost, type HttpAnswer } from '../server/connection.ts'
import { contentOf, hashOf } from './content.ts'
import type { Ledger, Sent } from './ledger.ts'
import { itemOf, openWire, type AnsweredItem, type Wire } from './wire.ts'

/** What the writers of a cycle share. */
export interface Writing {
  readonly url: string
  readonly token: string
  readonly ledger: Ledger
  /** The prefix of all keys of the cycle. */
  readonly cycle: string
  /** An item that all writers change, overwriting each other. */
  readonly shared: string
  /** Ids of categories. Each write assigns its item to some of them. */
  readonly categories: readonly string[]
  /** Called when a request is in flight, and when an answer was read. */
  readonly moment: (what: 'sent' | 'acknowledged') => void
  readonly isOver: () => boolean
}

interface OwnItem {
  readonly id: string
  readonly tag: string
}

/** The repository of all content. */
export const repository = 'kills'

// The share of writes that create an item, and the share of the others that change the shared item.
const createShare = 0.4
const sharedShare = 0.15

/** Creates and updates items, one request after another, until the server is gone. */
export async function write(writing: Writing, writer: number): Promise<void> {
  const wire = openWire(writing.url, writing.token)
  const items: OwnItem[] = []
  try {
    for (let count = 0; !writing.isOver(); count++) {
      const sent = nextWrite(writing, items, `${writing.cycle}-${writer}-${count}`)
      const written = await exchange(writing, wire, sent)
      if (written) retain(items, written)
    }
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error
  } finally {
    wire.close()
  }
}

/**
 * Builds the next request: a new item, an update of an own item with its ETag, or an update of the
 * shared item without one.
 */
function nextWrite({ shared, categories: all }: Writing, items: readonly OwnItem[], key: string): Sent {
  const content = contentOf(key)
  const hash = hashOf(content)
  const categories = all.filter(() => Math.random() < 0.5)
  const own = items[Math.floor(Math.random() * items.length)]
  if (!own || Math.random() < createShare) {
    const body = JSON.stringify({ repositoryId: repository, type: 'note', ...content, categories })
    return { key, method: 'POST', path: '/api/items', body, hash }
  }
  const body = JSON.stringify({ ...content, categories })
  if (Math.random() < sharedShare) return { key, method: 'PATCH', path: pathOf(shared), body, hash }
  return { key, method: 'PATCH', path: pathOf(own.id), body, hash, ifMatch: own.tag }
}

/** The path of an item. */
export function pathOf(id: string): string {
  return `/api/items/${repository}/${id}`
}

async function exchange({ ledger, moment }: Writing, wire: Wire, sent: Sent): Promise<OwnItem | undefined> {
  await ledger.noteSent(sent)
  const answer = await wire.write(sent, () => moment('sent'))
  if (answer.status === 503) {
    await ledger.noteRefused(sent.key)
    return undefined
  }
  const item = acknowledgedItem(sent, answer)
  moment('acknowledged')
  await ledger.noteAcknowledged({ key: sent.key, id: item.id, version: item.latestVersion })
  const isOwn = sent.method === 'POST' || sent.ifMatch !== undefined
  return isOwn ? { id: item.id, tag: answer.headers['etag'] ?? '' } : undefined
}

/**
 * The item in a complete answer. Errors: the answer is not an item, or differs from what was sent.
 */
export function acknowledgedItem({ key, hash }: Sent, answer: HttpAnswer): AnsweredItem {
  const item = itemOf(answer)
  if (hashOf(item) !== hash) throw new Error(`the answer to ${key} is not what was sent`)
  return item
}

function retain(items: OwnItem[], written: OwnItem): void {
  const index = items.findIndex(({ id }) => id === written.id)
  if (index < 0) items.push(written)
  else items[index] = written
}
