import type { JsonValue } from './json-value.ts'

/** The default when no content types are given: any name, any values. */
export interface AnyContent {
  readonly [type: string]: { [name: string]: JsonValue }
}

/** The fields of each content type in `C`, which is an interface of them or a schema. */
type ContentIn<C extends object> = C extends { readonly types: readonly object[]; readonly content?: infer M }
  ? NonNullable<M>
  : C

/** `C` as a call with the locale `L` has it: with `*`, localized values are objects by locale. */
export type InLocale<C extends object, L> = L extends '*'
  ? C extends { readonly types: readonly object[]; readonly localized?: infer M }
    ? NonNullable<M>
    : C
  : C

/** The fields of one content type in `C`. */
export type FieldsIn<C extends object, K> = K extends keyof ContentIn<C> ? ContentIn<C>[K] : never

/** The name of a content type in `C`. */
export type TypeNameOf<C extends object> = keyof ContentIn<C> & string

/** The shape `I` for each content type in `K`: a union that `type` discriminates. */
export type Typed<I, C extends object, K> = K extends unknown
  ? { [M in keyof I]: M extends keyof TypedMembers<I, C, K> ? TypedMembers<I, C, K>[M] : I[M] }
  : never

interface TypedMembers<I, C extends object, K> {
  readonly type: K
  readonly fields: Values<FieldsIn<C, K>>
  readonly included: Included<I['included' & keyof I], C>
}

export type Included<R, C extends object> =
  NonNullable<R> extends Record<string, (infer I)[]> ? Record<string, Typed<I, C, TypeNameOf<C>>[]> : R

/** A mapped type is assignable to `FieldValues`; an interface would not be. */
type Values<F> = { [M in keyof F]: F[M] }
