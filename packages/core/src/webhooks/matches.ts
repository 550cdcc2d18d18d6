import { itemEvents } from '@quire/contract'
import type { JournalEntry } from '../ports/index.ts'
import type { OutgoingWebhook } from './outgoing.ts'

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
