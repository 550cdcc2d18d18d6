import type { Ledger } from '../ledger.ts'
import type { Client, Crowd } from './client.ts'
import type { Effects } from './effects.ts'

/** What all writers and readers share. */
export interface Load extends Crowd {
  readonly ledger: Ledger
  /** The acknowledged effects. */
  readonly effects: Effects
  readonly isOver: () => boolean
}

/** A writer of items that nobody else writes. */
export interface Author extends Load {
  readonly client: Client
  /** The prefix of every key. */
  readonly name: string
  /** The number of keys so far. */
  count: number
  readonly items: OwnItem[]
}

/** An item as its author knows it. */
export interface OwnItem {
  readonly id: string
  /** The key of its current content. */
  readonly key: string
  readonly version: number
  readonly tag: string
  readonly published: number | null
}

/** A key that no request has used. */
export function nextKey(author: Author): string {
  author.count += 1
  return `${author.name}-${author.count}`
}
