import type { Environment } from '../call/environment.ts'
import type { Entity, LineRef, SearchDocument, Transaction } from '../ports/index.ts'
import { documentOf } from './document.ts'

// Heads that one transaction describes, some 20 ms.
const atOnce = 200

/**
 * Says what search finds entities by that a store of before had indexed without keeping it: until then they are found by nothing. Does nothing
 * where none is missing. Stops after a part when `isEnded` says so. Answers how many were missing.
 */
export async function mendDocuments(
  { store }: Pick<Environment, 'store'>,
  isEnded: () => boolean = () => false,
): Promise<number> {
  let mended = 0
  while (!isEnded()) {
    const refs = await store.indexes.undescribed(atOnce)
    if (refs.length === 0) break
    await store.transaction(async (tx) => {
      for (const ref of refs) await describe(tx, ref)
    })
    mended += refs.length
  }
  return mended
}

async function describe(tx: Transaction, ref: LineRef): Promise<void> {
  const head = await tx.entities.get(ref, ref.kind, ref.id)
  if (head) await tx.entities.describe(ref, ref, await documentFor(tx, head))
}

/** Before documents were kept, items alone were searched. */
async function documentFor(tx: Transaction, head: Entity): Promise<SearchDocument> {
  if (head.kind !== 'item') return { name: head.name, passages: [], categories: [], file: null }
  return documentOf(head, await tx.records.find('type', `name:${head.type}`))
}
