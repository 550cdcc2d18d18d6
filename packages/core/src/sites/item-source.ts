import type { Item } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import type { Call } from '../call/call.ts'
import type { Entity, Line } from '../ports/index.ts'
import { presentHead } from '../items/show.ts'

/** What of the items of a line a site shows. */
export interface Shown {
  readonly line: Line
  readonly isShown: (head: Entity) => boolean
}

// Items in memory: pages beside each other show the same ones. At half, more of them are read twice.
const atHand = 500

/** Finds items as a site shows them; the latest are at hand. */
export function itemsShown(call: Call, { line, isShown }: Shown): (id: string) => Promise<Item | null> {
  const found = new LRUCache<string, Promise<Item | null>>({ max: atHand })
  const find = async (id: string) => {
    const head = await call.store.entities.get(line, 'item', id)
    if (!head || head.deletedDate !== null || !isShown(head)) return null
    return (await presentHead(call, line, head)).value()
  }
  return (id) => {
    const known = found.get(id) ?? find(id)
    found.set(id, known)
    return known
  }
}

/**
 * Whether everybody who sees the site may see an item of the published line: it is published, and no roles limit who reads it. What
 * only some may read is on no site.
 */
export function isPublicly({ version, publishedVersion, archived, roles }: Entity): boolean {
  return publishedVersion === version && !archived && roles.read.length === 0
}
