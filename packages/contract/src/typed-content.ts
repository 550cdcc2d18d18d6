import type { z } from 'zod'
import type { FieldValues, Item, ReadItem } from './content/items/shapes.ts'
import type { ReadPublishedItem } from './delivery/published/shapes.ts'

/** Content types where nothing is said of them: any name, any values. */
export type AnyContent = Readonly<Record<string, z.output<typeof FieldValues>>>

/** The names of content types. */
export type TypeNameOf<C extends object> = keyof C & string

/**
 * An item whole, of one content type or of any of those that `C` knows: `C` is the interface `ContentTypes` that `quire types` writes.
 * @example
 * function teaser({ fields }: ItemOf<ContentTypes, 'article'>): string
 */
export type ItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<Item, C, K>

/** An item as read: with `select` only the chosen members, with `include` the items it refers to. */
export type ReadItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<
  z.output<typeof ReadItem>,
  C,
  K
>

/** A published item as read. */
export type PublishedItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<
  z.output<typeof ReadPublishedItem>,
  C,
  K
>

/** An item in some shape, of each of the types `K`: `type` tells them apart. */
type Typed<I, C extends object, K extends TypeNameOf<C>> = K extends unknown
  ? {
      [M in keyof I]: M extends 'type'
        ? K
        : M extends 'fields'
          ? Values<C[K]>
          : M extends 'included'
            ? Included<I[M], C>
            : I[M]
    }
  : never

type Included<R, C extends object> =
  NonNullable<R> extends Record<string, (infer I)[]> ? Record<string, Typed<I, C, TypeNameOf<C>>[]> : R

/** As a type of its own, which fits `FieldValues`: an interface would not. */
type Values<F> = { [M in keyof F]: F[M] }

/** Null stands for no value. */
type NewValues<F> = { [M in keyof F]: F[M] | null }

/** A JSON Merge Patch of values: objects member by member, null removes, lists are replaced whole. */
type ValuesPatch<F> = F extends readonly unknown[]
  ? F
  : F extends object
    ? { [M in keyof F]?: ValuesPatch<F[M]> | null }
    : F

/** What an operation takes, of the types `K`: all of an item where it says the type, else a change. */
export type TypedInput<I, C extends object, K extends TypeNameOf<C>> = {
  [M in keyof I]: M extends 'type'
    ? K | Extract<I[M], undefined>
    : M extends 'fields'
      ? GivenValues<I, C[K]> | Extract<I[M], undefined>
      : M extends 'item'
        ? TypedInput<I[M], C, K>
        : I[M]
}

type GivenValues<I, F> = 'id' extends keyof I ? ValuesPatch<F> : NewValues<F>

/** The item that an answer is or holds, in its shape; never where there is none. */
export type ItemWithin<O> = O extends unknown
  ? 'cardPreview' extends keyof O
    ? O
    : O extends { items: (infer I)[] }
      ? ItemWithin<I>
      : O extends { deleted: infer I }
        ? I
        : O extends { outcomes: { item?: infer I }[] }
          ? NonNullable<I>
          : never
  : never

/** What an operation answers, of the types `K`. */
export type TypedOutput<O, C extends object, K extends TypeNameOf<C>> = O extends readonly (infer E)[]
  ? TypedOutput<E, C, K>[]
  : 'cardPreview' extends keyof O
    ? Typed<O, C, K>
    : O extends object
      ? {
          [M in keyof O]: M extends 'items' | 'deleted' | 'outcomes' | 'item' ? TypedOutput<O[M], C, K> : O[M]
        }
      : O
