import type { EntityWrite, Branch } from './entities.ts'

/** What is kept: items (each once, whatever packages change of it, until it is purged), versions of every kind, and bytes of UTF-8 of what versions say with the bytes of the files that they bring. */
export interface Usage {
  readonly bytes: number
  readonly items: number
  readonly versions: number
}

/** Who is charged for what is kept: the repository that it is in, and the account that made it, by the `userName` of its reference. */
export interface UsageScope {
  readonly of: 'repository' | 'account'
  readonly id: string
}

/** What a transaction changes of a scope. */
export interface UsageChange extends Usage {
  readonly scope: UsageScope
  /** Whether anything was written that is no deletion and does not follow from one: these may leave more versions behind, and are not refused for it. */
  readonly adds: boolean
}

/** Reads of what is kept. */
export interface UsageReader {
  /** Inside a transaction with its own writes. Cost: proportional to the changes of the scope that were not folded yet. */
  of(scope: UsageScope): Promise<Usage & { readonly unfolded: number }>
}

/** Reads of what is kept, inside a transaction, and its upkeep. */
export interface UsageWriter extends UsageReader {
  /** What this transaction changed so far, by scope. Cost: none. */
  changes(): readonly UsageChange[]
  /** Adds up at most `limit` changes that were committed before, and forgets them one by one: no sum changes. Answers how many there were. */
  fold(limit: number): Promise<number>
}

/** The id of the branch that shows what is published (no package has it): it is made of main, and charged to nobody. */
export const publishedBranchId = 'published'

/** Whether what is written on a branch is charged. */
export function isCharged({ packageId }: Branch): boolean {
  return packageId !== publishedBranchId
}

/** Whether what a write adds may be held against a quota. */
export function addsTo({ deletedDate, givesBack = deletedDate !== null }: EntityWrite): boolean {
  return !givesBack
}

/** What is charged for one write. */
export interface Charge extends Partial<Usage> {
  readonly repositoryId: string
  /** Who made it. What the process made by itself is charged to its repository alone. */
  readonly userName: string
  readonly adds: boolean
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

const none: Usage = { bytes: 0, items: 0, versions: 0 }

function joined(change: UsageChange, other: UsageChange | undefined): UsageChange {
  return other ? { ...change, ...summed(change, other), adds: change.adds || other.adds } : change
}

/** The sum of two. */
export function summed(a: Usage, b: Usage): Usage {
  return { bytes: a.bytes + b.bytes, items: a.items + b.items, versions: a.versions + b.versions }
}
