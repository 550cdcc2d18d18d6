import type { CallOptions } from './call.ts'
import type { FieldsIn, Included, InLocale, Typed, TypeNameOf } from './typed-item.ts'

/**
 * An operation that returns items, complete (`W`) or with only the members that `select` names. Names in
 * `select`, `include`, `filter` and `sort` must exist in one of the content types `K`.
 */
export interface ReadOperation<I, O, C extends object, W> {
  // With `items.get<'article'>(…)` the compiler infers nothing else, so that such calls have declarations
  // of their own: the first for all locales, the last for a `select`.
  <K extends TypeNameOf<C> = never>(
    input: { readonly locale: K extends string ? '*' : never } & Explicit<I, O, InLocale<C, '*'>, K>,
    options?: CallOptions,
  ): Promise<Answered<O, W, InLocale<C, '*'>, NoInfer<K>, readonly string[], readonly string[]>>
  <
    K extends TypeNameOf<C> = TypeNameOf<C>,
    const L extends string | undefined = string | undefined,
    const S extends string = string,
    const P extends Names<O, InLocale<C, L>, K, 'select'> | undefined = undefined,
    const N extends Names<O, C, K, 'include'> = Names<O, C, K, 'include'>,
  >(
    input: ReadInput<I, InLocale<C, L>, K, S, P, N, L>,
    options?: CallOptions,
  ): Promise<Answered<O, W, InLocale<C, L>, NoInfer<K>, NoInfer<P>, NoInfer<N>>>
  <K extends TypeNameOf<C> = never>(
    input: Explicit<I, O, C, K>,
    options?: CallOptions,
  ): Promise<Answered<O, W, C, NoInfer<K>, readonly string[], readonly string[]>>
}

/** The input of a call that names its content type in angle brackets. */
type Explicit<I, O, C extends object, K> = ReadInput<
  I,
  C,
  NoInfer<K>,
  string,
  Names<O, C, K, 'select'>,
  Names<O, C, K, 'include'>,
  string | undefined
>

/** The members of items that filters and sorts may use besides their fields. */
export type QueryMemberName =
  | 'id'
  | 'type'
  | 'name'
  | 'slug'
  | 'status'
  | 'folderId'
  | 'currentVersion'
  | 'latestVersion'
  | 'isArchived'
  | 'isPublished'
  | 'createdDate'
  | 'updatedDate'
  | 'publishedDate'
  | 'createdByUser.userName'
  | 'updatedByUser.userName'
  | 'categories'
  | 'translations'

/** The input, with the texts that are possible. */
type ReadInput<I, C extends object, K, S extends string, P, N, L> = {
  [M in keyof I]: M extends 'type'
    ? K | Extract<I[M], undefined>
    : M extends 'sort'
      ? SortOf<QueryName<C, K>, S> | undefined
      : M extends 'filter'
        ? FilterOf<I[M], QueryName<C, K>> | undefined
        : M extends 'select'
          ? P | undefined
          : M extends 'include'
            ? N | undefined
            : M extends 'locale'
              ? LocaleOf<I, L>
              : I[M]
}

/** What is public is a version for each locale, so a published read is in one of them. */
type LocaleOf<I, L> = L extends '*' ? ('packageName' extends keyof I ? L : never) : L

/** The item in an output. */
type ItemIn<O> = O extends { items: (infer E)[] } ? E : O

/** The lists that a member of the input may be. */
type Names<O, C extends object, K, M extends 'select' | 'include'> = readonly (M extends 'select'
  ? MemberName<ItemIn<O>> | `fields.${Paths<C, K>}`
  : Paths<C, K>)[]

type MemberName<E> = Exclude<keyof E & string, 'included'>

type QueryName<C extends object, K> = QueryMemberName | `fields.${Paths<C, K>}`

/**
 * The paths of fields, and of those in groups and blocks, also of lists. In JSON it can be any. Of a
 * schema they follow from the definitions: the compiler walks all content types where an input names
 * none, and their values take ten times as long.
 */
type Paths<C extends object, K> = C extends {
  readonly types: readonly object[]
  readonly definitions?: infer T
}
  ? PathsIn<T, K, C extends { readonly locale: '*' } ? true : never>
  : ValuePaths<FieldsIn<C, K>>

/** `L`: a localized field has a path for each locale. */
type PathsIn<T, K, L> = T extends readonly (infer One)[]
  ? One extends { readonly name: K; readonly fields: readonly (infer F)[] }
    ? DefinedPaths<F, L>
    : never
  : never

type DefinedPaths<F, L> = F extends {
  readonly name: infer N extends string
  readonly kind: infer D
  readonly settings?: infer S
}
  ? F extends { readonly localized: L }
    ? N | `${N}.${string}`
    : D extends 'group' | 'union' | 'geo' | 'json'
      ? N | `${N}.${PathsBelow<D, S, L>}`
      : N
  : never

type PathsBelow<K, S, L> = K extends 'geo'
  ? 'lat' | 'lng'
  : K extends 'json'
    ? string
    : S extends { readonly fields: readonly (infer F)[] }
      ? DefinedPaths<F, L>
      : S extends { readonly variants: readonly (infer V)[] }
        ? 'type' | DefinedPaths<V extends { readonly fields: readonly (infer F)[] } ? F : never, L>
        : never

/** The same of an interface of fields. */
type ValuePaths<F> = F extends unknown
  ? { [M in keyof F & string]-?: M | ValuePathsBelow<M, F[M]> }[keyof F & string]
  : never

type ValuePathsBelow<M extends string, V> = V extends Scalar
  ? never
  : V extends readonly (infer E)[]
    ? V extends E
      ? never
      : ValuePathsBelow<M, E>
    : `${M}.${string extends keyof V ? string : ValuePaths<V>}`

type Scalar = string | number | boolean | null | undefined

/** Conditions by name. */
type FilterOf<F, Q extends string> =
  NonNullable<F> extends Record<string, infer Condition> ? { [M in Q]?: Condition } : never

/** Names, each of which may have `-` before it. A text that is no constant is not checked. */
type SortOf<Q extends string, S extends string> = string extends S
  ? string
  : S extends `${infer First},${infer Rest}`
    ? First extends Q | `-${Q}`
      ? `${First},${SortOf<Q, Rest>}`
      : Q | `-${Q}`
    : S extends Q | `-${Q}`
      ? S
      : Q | `-${Q}`

/**
 * The output with items of the types `K`, of which the members `P` were chosen; undefined: all. If
 * their names are not known to the compiler, each can be absent.
 */
type Answered<O, W, C extends object, K, P, N> = O extends { items: (infer E)[] }
  ? { [M in keyof O]: M extends 'items' ? Read<E, W, C, K, P, N>[] : O[M] }
  : Read<O, W, C, K, P, N>

type Read<E, W, C extends object, K, P, N> = K extends unknown
  ? P extends readonly string[]
    ? number extends P['length']
      ? Typed<E, C, K>
      : Chosen<Typed<E, C, K>, P[number]> & Includes<E, C, N>
    : Typed<W, C, K> & Includes<E, C, N>
  : never

/** The members with these names. */
type Chosen<E, P extends string> = Present<E, P | 'id'> & ChosenFields<E, P>

type Present<E, M> = { [Q in keyof E as Q extends M ? Q : never]-?: Exclude<E[Q], undefined> }

type ChosenFields<E, P extends string> = 'fields' extends P
  ? unknown
  : [FieldPath<P>] extends [never]
    ? unknown
    : E extends { fields?: infer F }
      ? { fields: PickPaths<NonNullable<F>, FieldPath<P>> }
      : unknown

type FieldPath<P extends string> = P extends `fields.${infer Path}` ? Path : never

/** The values at some paths. */
type PickPaths<V, P extends string> = V extends readonly unknown[]
  ? V
  : V extends object
    ? string extends keyof V
      ? V
      : {
          [M in keyof V as M extends First<P> ? M : never]: M extends P ? V[M] : PickPaths<V[M], Rest<P, M>>
        }
    : V

type First<P extends string> = P extends `${infer Name}.${string}` ? Name : P

type Rest<P extends string, M> = P extends `${M & string}.${infer Path}` ? Path : never

type Includes<E, C extends object, N> = E extends { included?: infer R }
  ? N extends readonly string[]
    ? number extends N['length']
      ? { included?: Included<R, C> }
      : { included: { [M in N[number]]?: IncludedItems<R, C> } }
    : unknown
  : unknown

type IncludedItems<R, C extends object> =
  NonNullable<Included<R, C>> extends Record<string, infer L> ? L : never
