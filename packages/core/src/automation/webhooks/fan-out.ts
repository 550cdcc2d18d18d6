import { joining, type Recorded, type WriteCall } from '../../engine/call.ts'
import { systemCall } from '../../engine/system-call.ts'
import { queueDelivery } from './deliveries.ts'
import { storedData } from './payload.ts'
import { itemEvents } from '@quire/contract'
import type { JournalEntry } from '../../ports/index.ts'
import type { OutgoingWebhook } from './outgoing.ts'

/**
 * Queues the deliveries of what a transaction recorded, in that transaction: the change, its entry in the journal and one delivery for each
 * webhook that matches are one, and what is delivered is what was written. Costs nothing where no webhook is.
 */
export async function queueDeliveries(inside: WriteCall, { entries, head }: Recorded): Promise<void> {
  const webhooks = await inside.store.records.list('webhook')
  if (webhooks.length === 0) return
  const call = joining(systemCall(inside, 'webhooks'), inside)
  for (const entry of notifiedEntries(entries)) {
    const triggered = webhooks.filter((webhook) => isTriggered(webhook, entry))
    if (triggered.length === 0) continue
    const { event, entityId } = entry
    const data = await storedData(call, entry, head)
    for (const webhook of triggered) await queueDelivery(call, { webhook, event: { event, entityId }, data })
  }
}

type Subscription = Pick<OutgoingWebhook, 'enabled' | 'repositoryId' | 'events' | 'types'>
type Entry = Pick<JournalEntry, 'event' | 'repositoryId' | 'entityType'>

const aboutItems: ReadonlySet<string> = new Set(itemEvents)

/** Whether an event triggers a webhook (specification 6.2). */
export function isTriggered({ enabled, repositoryId, events, types }: Subscription, entry: Entry): boolean {
  return (
    enabled &&
    repositoryId === entry.repositoryId &&
    events.some((event) => event === entry.event) &&
    (types.length === 0 || isOfType(types, entry))
  )
}

/**
 * Whether a filter contains the type of the item that an event is about. Folders and sites are no items and have no type, so that no filter
 * contains it: by 6.2 (4) they trigger a webhook only where its filter is empty. What the journal has as their type is the name of their
 * kind, which a content type may have too.
 */
function isOfType(types: readonly string[], { event, entityType }: Entry): boolean {
  return aboutItems.has(event) && types.includes(entityType)
}

type NotifiedEntry = Pick<JournalEntry, 'event' | 'entityId' | 'packageId'>

/**
 * Words of the journal that specification 6.1 has no event for, and what webhooks are told instead: who shows items must hear that one is
 * public no longer, or there again.
 */
const notifiedAs: ReadonlyMap<string, string> = new Map([
  ['ITEM_UNPUBLISHED', 'ITEM_UPDATED'],
  ['ITEM_UNDELETED', 'ITEM_UPDATED'],
  ['FOLDER_UNDELETED', 'FOLDER_UPDATED'],
])

/** What is of the public alone: in a package it is a plan, which a merge carries out, and tells then. */
const ofThePublic: ReadonlySet<string> = new Set(['ITEM_PUBLISHED', 'ITEM_UNPUBLISHED'])

/** What webhooks are told of what a transaction did, in its order; what has no event of its own not beside the one that stands for it. */
export function notifiedEntries<E extends NotifiedEntry>(entries: readonly E[]): readonly E[] {
  const seen = new Set(entries.map(keyOf))
  return entries.flatMap((entry) => {
    if (entry.packageId !== null && ofThePublic.has(entry.event)) return []
    const event = notifiedAs.get(entry.event)
    if (event === undefined) return [entry]
    const notified: E = { ...entry, event }
    if (seen.has(keyOf(notified))) return []
    seen.add(keyOf(notified))
    return [notified]
  })
}

function keyOf({ event, entityId, packageId }: NotifiedEntry): string {
  return `${event} ${entityId} ${packageId}`
}
