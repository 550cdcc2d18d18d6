import type { Recorded, WriteCall } from '../../engine/call.ts'
import { localesMember } from '../../engine/journal.ts'
import { joinTransaction } from '../../engine/create-call.ts'
import { systemCall } from '../../engine/system-call.ts'
import { queueDelivery } from './deliveries.ts'
import { storedData } from './payload.ts'
import { itemEvents } from '@quire/contract'
import type { JournalEntry } from '../../ports/index.ts'
import type { OutgoingWebhook } from './outgoing.ts'

/**
 * Queues a delivery for each webhook that matches an event of a transaction, inside that
 * transaction: the change, its journal entry and its deliveries are committed together, and what is
 * delivered is what was written. Costs nothing without webhooks.
 */
export async function queueDeliveries(writeCall: WriteCall, { entries, head }: Recorded): Promise<void> {
  const webhooks = await writeCall.store.records.list('webhook')
  if (webhooks.length === 0) return
  const call = joinTransaction(systemCall(writeCall, 'webhooks'), writeCall)
  for (const entry of notifiedEntries(entries)) {
    const triggered = webhooks.filter((webhook) => isTriggered(webhook, entry))
    if (triggered.length === 0) continue
    const event = { event: entry.event, entityId: entry.entityId, ...localesMember(entry) }
    const data = await storedData(call, entry, head)
    for (const webhook of triggered) await queueDelivery(call, { webhook, event, data })
  }
}

type Subscription = Pick<OutgoingWebhook, 'enabled' | 'repositoryId' | 'events' | 'types'>
type Entry = Pick<JournalEntry, 'event' | 'repositoryId' | 'entityType'>

const eventsOfItems: ReadonlySet<string> = new Set(itemEvents)

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
 * Whether a filter contains the content type of the item of an event. Folders and sites are not
 * items and have no content type: by specification 6.2 (4), they trigger a webhook only if its
 * filter is empty. Their type in the journal is the name of their kind, which can also be the name
 * of a content type.
 */
function isOfType(types: readonly string[], { event, entityType }: Entry): boolean {
  return eventsOfItems.has(event) && types.includes(entityType)
}

type NotifiedEntry = Pick<JournalEntry, 'event' | 'entityId' | 'packageId'>

/**
 * Events of the journal that specification 6.1 does not have, and the events that webhooks get
 * instead. A receiver that displays items must learn that an item is no longer public, or that it
 * was restored.
 */
const notifiedAs: ReadonlyMap<string, string> = new Map([
  ['ITEM_UNPUBLISHED', 'ITEM_UPDATED'],
  ['ITEM_UNDELETED', 'ITEM_UPDATED'],
  ['FOLDER_UNDELETED', 'FOLDER_UPDATED'],
])

/**
 * Events that matter only on main. In a package they are a plan: the merge carries it out, and
 * webhooks are notified then.
 */
const mainOnly: ReadonlySet<string> = new Set(['ITEM_PUBLISHED', 'ITEM_UNPUBLISHED'])

/**
 * The entries of a transaction that webhooks are notified of, in order, with replaced events as in
 * `notifiedAs`. A replaced event is left out if the transaction already has that event for the same
 * entity.
 */
export function notifiedEntries<E extends NotifiedEntry>(entries: readonly E[]): readonly E[] {
  const seen = new Set(entries.map(keyOf))
  return entries.flatMap((entry) => {
    if (entry.packageId !== null && mainOnly.has(entry.event)) return []
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
