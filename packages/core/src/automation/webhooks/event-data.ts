import type { Call } from '../../engine/call.ts'
import { JobFailed } from '../../engine/job-handler.ts'
import { folderRules } from '../../content/folders/kind.ts'
import { asWritten, textAsWritten, type AsWritten } from '../../content/items/as-written.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import type { Entity, JournalEntry } from '../../ports/index.ts'
import { siteRules } from '../../delivery/sites/kinds.ts'
import type { StructureKind } from '../../content/structure/kind.ts'
import { serializeOne } from '../../content/structure/json.ts'

/**
 * What a delivery keeps of what its event is about, until it is sent and for as long as it can be sent again: what it takes to say an item
 * again, so that nothing is written twice, or else the text itself.
 */
export type StoredData = { readonly item: AsWritten } | { readonly text: string }

/** What is to be kept of what an event is about. `written`: the head that its transaction wrote last. */
export async function storedData(
  call: Call,
  entry: JournalEntry,
  written: Entity | null,
): Promise<StoredData> {
  const { repositoryId, packageId, entityId: id, entityType: type } = entry
  const branch = { repositoryId, packageId }
  const rules = structureOf(entry)
  const isHere =
    written?.id === id && written.repositoryId === repositoryId && written.packageId === packageId
  const head = isHere ? written : await call.store.entities.get(branch, rules?.kind ?? 'item', id)
  // Of what is gone for good: what the journal knows of it.
  if (!head) return { text: JSON.stringify({ id, type, repositoryId }) }
  if (rules) return { text: (await serializeOne(call, branch, { rules, head })).text }
  const item = await asWritten(call, branch, head)
  return item ? { item } : { text: (await serializeHead(call, branch, head)).text }
}

/** Of which kind of the structure the event of a webhook tells; null: of an item. */
function structureOf({ event }: JournalEntry): StructureKind | null {
  if (event.startsWith('FOLDER_')) return folderRules
  return event.startsWith('SITE_') ? siteRules : null
}

/** The text of what was kept. Errors: JobFailed when the version of an item that it names is gone. */
export async function textOf(
  call: Call,
  about: { readonly repositoryId: string; readonly id: string },
  stored: StoredData,
): Promise<string> {
  if ('text' in stored) return stored.text
  const text = await textAsWritten(call, about, stored.item)
  if (text !== null) return text
  const gone = `Version ${stored.item.latestVersion} of the item is no longer kept`
  throw new JobFailed(`${gone}: it was purged, or its type keeps fewer versions now.`)
}
