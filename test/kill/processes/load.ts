import type { Ledger } from '../ledger.ts'
import type { Client, Crowd } from './client.ts'
import type { Effects } from './effects.ts'

/** What everybody who writes and reads shares. */
export interface Load extends Crowd {
  readonly ledger: Ledger
  /** What was acknowledged. */
  readonly effects: Effects
  readonly isOver: () => boolean
}

/** Somebody who writes items that nobody else writes. */
export interface Author extends Load {
  readonly client: Client
  /** Begins every key. */
  readonly name: string
  /** Counts the keys. */
  count: number
  readonly items: OwnItem[]
}

/** An item as its author knows it. */
export interface OwnItem {
  readonly id: string
  /** Key of the content that it has. */
  readonly key: string
  readonly version: number
  readonly tag: string
  readonly published: number | null
}

/** A key that no request had. */
export function nextKey(author: Author): string {
  author.count += 1
  return `${author.name}-${author.count}`
}
