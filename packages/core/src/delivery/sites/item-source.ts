import type { Item } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import type { Call } from '../../engine/call.ts'
import { isHeadPublished } from '../../adapters/published.ts'
import { itemAt } from '../../content/items/at.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, Branch } from '../../ports/index.ts'

/** The items that a site shows: those of a branch that are visible. */
export interface VisibleItems {
  readonly branch: Branch
  readonly isVisible: (head: Entity) => boolean
}

/** Finds visible items by id; null for others. */
export type ItemFinder = (id: string) => Promise<Item | null>

/** Creates a function that finds visible items by id; null for others. The latest are cached. */
export function createItemFinder(call: Call, { branch, isVisible }: VisibleItems): ItemFinder {
  return cached(async (id) => {
    const head = await call.store.entities.get(branch, 'item', id)
    if (!head || head.deletedDate !== null || !isVisible(head)) return null
    return (await serializeHead(call, branch, head)).value()
  })
}

/**
 * The same for items that the caller may read, as they were or will be at a time (Unix ms). Its errors:
 * `version_forgotten`, `merge_conflict`.
 */
export function createItemFinderAt(call: Call, scope: Scope, at: number): ItemFinder {
  return cached((id) => itemAt(call, scope, { id, at }))
}

// Items cached in memory, since neighboring pages show the same ones. At half, more items are read
// twice.
const mostCached = 500

function cached(find: ItemFinder): ItemFinder {
  const found = new LRUCache<string, Promise<Item | null>>({ max: mostCached })
  return (id) => {
    const known = found.get(id) ?? find(id)
    found.set(id, known)
    return known
  }
}

/**
 * Whether everyone who sees the site may see an item of the published branch: it is published, and
 * no roles limit who may read it. Sites never show items with read roles.
 */
export function isPubliclyVisible(head: Entity): boolean {
  return isHeadPublished(head) && !head.archived && head.roles.read.length === 0
}

/**
 * Renders for a waiting caller, one page at a time per caller. Errors: `too_many_requests` when too
 * many of the caller's wait.
 */
export async function renderInOrder<T>({ shared, identity }: Call, render: () => Promise<T>): Promise<T> {
  return shared.inOrder(`render ${identity.kind}:${identity.id}`, render)
}
