import type { Typed, TypeNameOf } from './typed-item.ts'
import type { Item, ReadItem } from './generated/items.ts'
import type { ReadPublishedItem } from './generated/published.ts'

/**
 * A complete item, of the content type `K` or of any content type in `C`. `C` is the interface
 * `ContentTypes` that `quire types` writes.
 * @example
 * function teaser({ fields }: ItemOf<ContentTypes, 'article'>): string
 */
export type ItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<Item, C, K>

/**
 * An item as a read returns it: with `select` only the chosen members, with `include` also the
 * items it refers to.
 */
export type ReadItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<ReadItem, C, K>

/** A published item as a read returns it. */
export type PublishedItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<
  ReadPublishedItem,
  C,
  K
>
