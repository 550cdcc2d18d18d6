import type { EntityWrite, Branch } from '../ports/entities.ts'
import { type Usage, type UsageScope, type UsageChange, type Charge } from '../ports/index.ts'
import { isPublishedBranch } from './published.ts'

/** Whether writes on a branch are charged. */
export function isCharged(branch: Branch): boolean {
  return !isPublishedBranch(branch)
}

/** Whether a write counts against a quota. */
export function addsTo({ deletedDate, givesBack = deletedDate !== null }: EntityWrite): boolean {
  return !givesBack
}

/**
 * The usage changes of a transaction, layered over those of its outer transaction; used by stores.
 * The lowest layer holds the committed usage.
 */
export class UsageChanges {
  readonly #base: UsageChanges | null
  #own = new Map<string, UsageChange>()

  constructor(base: UsageChanges | null = null) {
    this.#base = base
  }

  charge({ repositoryId, userName, adds, bytes = 0, items = 0, versions = 0 }: Charge): void {
    const change = { bytes, items, versions, adds }
    this.#add({ scope: { of: 'repository', id: repositoryId }, ...change })
    if (!userName.startsWith('system:')) this.#add({ scope: { of: 'account', id: userName }, ...change })
  }

  /** The usage of a scope, summed over this layer and all layers below it. */
  of(scope: UsageScope): Usage {
    const own = this.#own.get(scopeKey(scope)) ?? none
    return summed(own, this.#base?.of(scope) ?? none)
  }

  /** All changes above the lowest layer. */
  all(): readonly UsageChange[] {
    if (!this.#base) return []
    const all = new Map(this.#base.all().map((change) => [scopeKey(change.scope), change]))
    for (const [key, change] of this.#own) all.set(key, joined(change, all.get(key)))
    return [...all.values()]
  }

  /** Adds the changes of this layer to the layer below. */
  commit(): void {
    const base = this.#base
    if (base) for (const change of this.take()) base.#add(change)
  }

  /** Removes the changes of this layer and returns them. */
  take(): readonly UsageChange[] {
    const changes = [...this.#own.values()]
    this.#own = new Map()
    return changes
  }

  #add(change: UsageChange): void {
    const key = scopeKey(change.scope)
    this.#own.set(key, joined(change, this.#own.get(key)))
  }
}

/** A scope as a string key. */
export function scopeKey({ of, id }: UsageScope): string {
  return `${of}:${id}`
}

export const none: Usage = { bytes: 0, items: 0, versions: 0 }

function joined(change: UsageChange, other: UsageChange | undefined): UsageChange {
  return other ? { ...change, ...summed(change, other), adds: change.adds || other.adds } : change
}

/** The sum of two usages. */
export function summed(a: Usage, b: Usage): Usage {
  return { bytes: a.bytes + b.bytes, items: a.items + b.items, versions: a.versions + b.versions }
}
