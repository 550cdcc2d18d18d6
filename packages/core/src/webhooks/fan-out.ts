import { within, type Call } from '../call/call.ts'
import { overTransaction } from '../call/over-transaction.ts'
import { presentHead } from '../items/show.ts'
import type { JournalEntry, Store, Stored, Transaction } from '../ports/index.ts'
import { folderRules } from '../folders/kind.ts'
import { siteRules } from '../sites/kinds.ts'
import type { StructureKind } from '../structure/kind.ts'
import { presentOne } from '../structure/present.ts'
import { queueDelivery } from './deliveries.ts'
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
        const entries: JournalEntry[] = []
        const result = await work(remembering(tx, entries))
        if (entries.length > 0) await queueAll(within(callOf(), tx), tx, entries)
        return result
      }, options),
  }
}

/** The same transaction; what it records of events is remembered as well, unless it is undone. */
function remembering(tx: Transaction, entries: JournalEntry[]): Transaction {
  return overTransaction(tx, {
    journal: () => ({
      ...tx.journal,
      record: async (entry) => {
        await tx.journal.record(entry)
        entries.push(entry)
      },
    }),
    nested: async (work) => {
      const own: JournalEntry[] = []
      const result = await tx.nested((inner) => work(remembering(inner, own)))
      entries.push(...own)
      return result
    },
  })
}

async function queueAll(call: Call, tx: Transaction, entries: readonly JournalEntry[]): Promise<void> {
  const webhooks = await tx.records.list('webhook')
  if (webhooks.length === 0) return
  for (const entry of entries) await queueFor(call, tx, { entry, webhooks })
}

async function queueFor(
  call: Call,
  tx: Transaction,
  { entry, webhooks }: { entry: JournalEntry; webhooks: readonly Stored<'webhook'>[] },
): Promise<void> {
  const { event, entityId } = entry
  const triggered = webhooks.filter((webhook) => isTriggered(webhook, entry))
  if (triggered.length === 0) return
  const data = { text: await textOf(call, entry) }
  for (const webhook of triggered)
    await queueDelivery(call, tx, { webhook, payload: { event, entityId, data } })
}

/** What an event is about, as it is sent: the text of it. Of what is gone for good: what the journal knows of it. */
async function textOf(call: Call, entry: JournalEntry): Promise<string> {
  const { repositoryId, packageId, entityId: id, entityType: type } = entry
  const line = { repositoryId, packageId }
  const rules = structureOf(entry)
  const head = await call.store.entities.get(line, rules?.kind ?? 'item', id)
  if (!head) return JSON.stringify({ id, type, repositoryId })
  const presented = await (rules ? presentOne(call, line, { rules, head }) : presentHead(call, line, head))
  return presented.text
}

/** Of which kind of the structure the event of a webhook tells; null: of an item. */
function structureOf({ event }: JournalEntry): StructureKind | null {
  if (event.startsWith('FOLDER_')) return folderRules
  return event.startsWith('SITE_') ? siteRules : null
}
