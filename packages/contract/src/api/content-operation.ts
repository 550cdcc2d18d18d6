import type { CallOptions } from './call.ts'
import type { ReadOperation } from './read-operation.ts'
import type { FieldsIn, InLocale, Typed, TypeNameOf } from './typed-item.ts'

/**
 * An operation that returns items. With content types in `C`, their fields are typed: `K` is the
 * content type, which is inferred from the input's `type`. If the input has no `type`, you can name
 * it (`items.get<'article'>(…)`), but nothing checks it; otherwise the item can be of any type. `L` is
 * the locale, inferred as well.
 */
export type ContentOperation<I, O, C extends object, W = never> = string extends keyof C
  ? (input: I, options?: CallOptions) => Promise<O>
  : 'select' extends keyof I
    ? ReadOperation<I, O, C, W>
    : <K extends TypeNameOf<C> = TypeNameOf<C>, const L extends string | undefined = string | undefined>(
        input: TypedInput<I, InLocale<C, L>, K, L>,
        options?: CallOptions,
      ) => Promise<TypedOutput<O, InLocale<C, L>, NoInfer<K>>>

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
export type TypedInput<I, C extends object, K, L = string | undefined> = {
  [M in keyof I]: M extends 'type'
    ? K | Extract<I[M], undefined>
    : M extends 'fields'
      ? GivenValues<I, FieldsIn<C, K>> | Extract<I[M], undefined>
      : M extends 'item'
        ? TypedInput<I[M], C, K>
        : M extends 'locale'
          ? L
          : I[M]
}

type GivenValues<I, F> = 'id' extends keyof I ? ValuesPatch<F> : NewValues<F>

/** The output of an operation on items of the types `K`. */
export type TypedOutput<O, C extends object, K> = O extends readonly (infer E)[]
  ? TypedOutput<E, C, K>[]
  : 'cardPreview' extends keyof O
    ? Typed<O, C, K>
    : O extends object
      ? {
          [M in keyof O]: M extends 'items' | 'deleted' | 'outcomes' | 'item' ? TypedOutput<O[M], C, K> : O[M]
        }
      : O
