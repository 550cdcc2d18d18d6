import type { EntityWrite, Branch } from '../ports/entities.ts'
import {
  type Usage,
  type UsageScope,
  type UsageChange,
  publishedBranchId,
  type Charge,
} from '../ports/index.ts'

/** Whether what is written on a branch is charged. */
export function isCharged({ packageId }: Branch): boolean {
  return packageId !== publishedBranchId
}

/** Whether what a write adds may be held against a quota. */
export function addsTo({ deletedDate, givesBack = deletedDate !== null }: EntityWrite): boolean {
  return !givesBack
}

/** The changes of a transaction, laid over those of the one that it runs in; for stores to gather them. The lowest one holds what was committed. */
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

  /** What this and all below it hold of a scope. */
  of(scope: UsageScope): Usage {
    const own = this.#own.get(scopeKey(scope)) ?? none
    return summed(own, this.#base?.of(scope) ?? none)
  }

  /** What was changed above the lowest. */
  all(): readonly UsageChange[] {
    if (!this.#base) return []
    const all = new Map(this.#base.all().map((change) => [scopeKey(change.scope), change]))
    for (const [key, change] of this.#own) all.set(key, joined(change, all.get(key)))
    return [...all.values()]
  }

  /** Gives what it holds itself to the one below. */
  commit(): void {
    const base = this.#base
    if (base) for (const change of this.take()) base.#add(change)
  }

  /** What it holds itself, which it then holds no more. */
  take(): readonly UsageChange[] {
    const inUse = [...this.#own.values()]
    this.#own = new Map()
    return inUse
  }

  #add(change: UsageChange): void {
    const key = scopeKey(change.scope)
    this.#own.set(key, joined(change, this.#own.get(key)))
  }
}

/** A scope as one text. */
export function scopeKey({ of, id }: UsageScope): string {
  return `${of}:${id}`
}

export const none: Usage = { bytes: 0, items: 0, versions: 0 }

function joined(change: UsageChange, other: UsageChange | undefined): UsageChange {
  return other ? { ...change, ...summed(change, other), adds: change.adds || other.adds } : change
}

/** The sum of two. */
export function summed(a: Usage, b: Usage): Usage {
  return { bytes: a.bytes + b.bytes, items: a.items + b.items, versions: a.versions + b.versions }
}
