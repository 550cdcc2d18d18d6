import type { z } from 'zod'
import type { FieldValues, Item, ReadItem } from './content/items/shapes.ts'
import type { ReadPublishedItem } from './delivery/published/shapes.ts'

/** The default when no content types are given: any name, any values. */
export type AnyContent = Readonly<Record<string, z.output<typeof FieldValues>>>

/** The name of a content type in `C`. */
export type TypeNameOf<C extends object> = keyof C & string

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
export type ReadItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<
  z.output<typeof ReadItem>,
  C,
  K
>

/** A published item as a read returns it. */
export type PublishedItemOf<C extends object, K extends TypeNameOf<C> = TypeNameOf<C>> = Typed<
  z.output<typeof ReadPublishedItem>,
  C,
  K
>

/** The shape `I` for each content type in `K`: a union that `type` discriminates. */
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

/** A mapped type is assignable to `FieldValues`; an interface would not be. */
type Values<F> = { [M in keyof F]: F[M] }

/** The fields of a new item. Null means no value. */
type NewValues<F> = { [M in keyof F]: F[M] | null }

/**
 * A JSON Merge Patch of field values: objects are merged, null removes a value, lists are replaced
 * as a whole.
 */
type ValuesPatch<F> = F extends readonly unknown[]
  ? F
  : F extends object
    ? { [M in keyof F]?: ValuesPatch<F[M]> | null }
    : F

/**
 * The input of an operation on items of the types `K`: all fields if the item is new, a patch if it
 * exists.
 */
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

/** The shape of the item that an output is or contains; `never` if there is none. */
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

/** The output of an operation on items of the types `K`. */
export type TypedOutput<O, C extends object, K extends TypeNameOf<C>> = O extends readonly (infer E)[]
  ? TypedOutput<E, C, K>[]
  : 'cardPreview' extends keyof O
    ? Typed<O, C, K>
    : O extends object
      ? {
          [M in keyof O]: M extends 'items' | 'deleted' | 'outcomes' | 'item' ? TypedOutput<O[M], C, K> : O[M]
        }
      : O
