import { within, type Call } from '../call/call.ts'
import { overTransaction } from '../call/over-transaction.ts'
import type { Entity, JournalEntry, Store, Transaction } from '../ports/index.ts'
import { queueDelivery } from './deliveries.ts'
import { keptData } from './event-data.ts'
import { isTriggered } from './matches.ts'

/**
 * The store, with every transaction that records an event also queueing its deliveries: the change, its entry in the journal and one
 * delivery for each webhook that matches are one, and what is delivered is what was written. Costs nothing where no webhook is.
 */
export function queueingDeliveries(store: Store, callOf: () => Call): Store {
  return {
    ...store,
    transaction: (work, options) =>
      store.transaction(async (tx) => {
        const told = nothingTold()
        const result = await work(remembering(tx, told))
        if (told.entries.length > 0) await queueAll(within(callOf(), tx), tx, told)
        return result
      }, options),
  }
}

/** What a transaction did, as far as it was not undone. */
interface Told {
  readonly entries: JournalEntry[]
  /** The head that it wrote last: where it wrote one, what is sent of it need not be read again. */
  head: Entity | null
}

const nothingTold = (): Told => ({ entries: [], head: null })

/** The same transaction; what it records of events, and the head that it writes last, are remembered as well. */
function remembering(tx: Transaction, told: Told): Transaction {
  return overTransaction(tx, {
    entities: () => ({
      ...tx.entities,
      put: async (entity, expectedRevision) => {
        await tx.entities.put(entity, expectedRevision)
        told.head = entity
      },
      purge: async (line, ref) => {
        await tx.entities.purge(line, ref)
        told.head = null
      },
    }),
    journal: () => ({
      ...tx.journal,
      record: async (entry) => {
        await tx.journal.record(entry)
        told.entries.push(entry)
      },
    }),
    nested: async (work) => {
      const own = { ...nothingTold(), head: told.head }
      const result = await tx.nested((inner) => work(remembering(inner, own)))
      told.entries.push(...own.entries)
      told.head = own.head
      return result
    },
  })
}

async function queueAll(call: Call, tx: Transaction, { entries, head }: Told): Promise<void> {
  const webhooks = await tx.records.list('webhook')
  if (webhooks.length === 0) return
  for (const entry of entries) {
    const triggered = webhooks.filter((webhook) => isTriggered(webhook, entry))
    if (triggered.length === 0) continue
    const { event, entityId } = entry
    const data = await keptData(call, entry, head)
    for (const webhook of triggered)
      await queueDelivery(call, tx, { webhook, event: { event, entityId }, data })
  }
}
