import type { Item } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import type { Call } from '../../engine/call.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import type { Entity, Branch } from '../../ports/index.ts'

/** What of the items of a branch a site shows. */
interface VisibleItems {
  readonly branch: Branch
  readonly isVisible: (head: Entity) => boolean
}

// Items in memory: pages beside each other show the same ones. At half, more of them are read twice.
const atHand = 500

/** Finds items as a site shows them; the latest are at hand. */
export function itemsVisible(
  call: Call,
  { branch, isVisible }: VisibleItems,
): (id: string) => Promise<Item | null> {
  const found = new LRUCache<string, Promise<Item | null>>({ max: atHand })
  const find = async (id: string) => {
    const head = await call.store.entities.get(branch, 'item', id)
    if (!head || head.deletedDate !== null || !isVisible(head)) return null
    return (await serializeHead(call, branch, head)).value()
  }
  return (id) => {
    const known = found.get(id) ?? find(id)
    found.set(id, known)
    return known
  }
}

/**
 * Whether everybody who sees the site may see an item of the published branch: it is published, and no roles limit who reads it. What
 * only some may read is on no site.
 */
export function isPublicly({ version, publishedVersion, archived, roles }: Entity): boolean {
  return publishedVersion === version && !archived && roles.read.length === 0
}

/** Renders for a caller who waits for it: of each caller one page at a time. Errors: `too_many_requests` when too many of one wait. */
export async function renderedFor<T>({ shared, identity }: Call, render: () => Promise<T>): Promise<T> {
  return shared.inOrder(`render ${identity.kind}:${identity.id}`, render)
}
