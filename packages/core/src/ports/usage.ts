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

/** What is charged for one write. */
export interface Charge extends Partial<Usage> {
  readonly repositoryId: string
  /** Who made it. What the process made by itself is charged to its repository alone. */
  readonly userName: string
  readonly adds: boolean
}
