import { openClient, Unresolved } from './client.ts'
import { createItem, deleteItem, publishItem, updateItem } from './item-calls.ts'
import type { Author, Load, OwnItem } from './load.ts'
import { mergePackage } from './package-calls.ts'

/**
 * The actions of an author on an item, with their shares in percent. In all other cases a new item
 * is created.
 */
const deeds: readonly (readonly [number, (author: Author, item: OwnItem) => Promise<void>])[] = [
  [35, updateItem],
  [15, publishItem],
  [8, mergePackage],
  [7, deleteItem],
]

/** Writes, publishes, merges and deletes until the load is over, each request on any process. */
export async function write(load: Load, name: string): Promise<void> {
  const client = openClient(load, load.fleet.token)
  const author: Author = { ...load, client, name, count: 0, items: [] }
  try {
    while (!load.isOver()) await act(author)
  } finally {
    client.close()
  }
}

/**
 * Performs one action. If a request stays unanswered, it is counted, and its item is not used
 * again.
 */
async function act(author: Author): Promise<void> {
  const item = author.items[Math.floor(Math.random() * author.items.length)]
  const deed = item && chosen()
  try {
    await (deed ? deed(author, item) : createItem(author))
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error
    if (item) author.items.splice(author.items.indexOf(item), 1)
  }
}

function chosen() {
  let left = Math.random() * 100
  for (const [share, deed] of deeds) {
    left -= share
    if (left < 0) return deed
  }
  return undefined
}
