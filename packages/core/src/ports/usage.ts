/**
 * Stored amounts. An item counts once, however many packages change it, until it is purged.
 * Versions of every kind count. Bytes are the UTF-8 bytes of the versions' content plus the bytes
 * of the files that they add.
 */
export interface Usage {
  readonly bytes: number
  readonly items: number
  readonly versions: number
}

/**
 * What usage is charged to: the repository that holds the content, or the account that made it,
 * identified by the `userName` of its reference.
 */
export interface UsageScope {
  readonly of: 'repository' | 'account'
  readonly id: string
}

/** How a transaction changes the usage of a scope. */
export interface UsageChange extends Usage {
  readonly scope: UsageScope
  /**
   * Whether any write was something other than a deletion or its consequence. Deletions may add
   * versions too, and are not refused because of a quota.
   */
  readonly adds: boolean
}

/** Reads usage. */
export interface UsageReader {
  /**
   * Inside a transaction it includes the transaction's own writes. Cost: proportional to the
   * changes of the scope that have not been folded yet.
   */
  of(scope: UsageScope): Promise<Usage & { readonly unfolded: number }>
}

/** Reads and maintains usage inside a transaction. */
export interface UsageWriter extends UsageReader {
  /** The changes of this transaction so far, by scope. Cost: none. */
  changes(): readonly UsageChange[]
  /**
   * Adds at most `limit` committed changes to the totals and deletes the change rows; `of` returns
   * the same sums as before. Returns the number of changes folded.
   */
  fold(limit: number): Promise<number>
}

/** The charge of one write. */
export interface Charge extends Partial<Usage> {
  readonly repositoryId: string
  /** The account that made it. Writes of the service itself are charged to the repository only. */
  readonly userName: string
  readonly adds: boolean
}
