import type { FieldInput, TypeSettingsInput } from '../../api/generated/types.ts'
import type { JsonValue } from '../../api/json-value.ts'

/** A part of an input that may be written as a constant; a field may say its name before. */
type Defined<T> = T extends readonly (infer E)[]
  ? readonly Defined<E>[]
  : T extends object
    ? DefinedMembers<T extends { kind: string } ? T & Renamed : T>
    : T

/** Not an intersection with the result, which takes the compiler twice as long. */
type DefinedMembers<T> = { readonly [M in keyof T]: Defined<T[M]> }

interface Renamed {
  /**
   * The name that the field had before: `schema.apply` moves the values. Ignored when there is no
   * such field any more.
   */
  readonly renamedFrom?: string
}

/** A field as code defines it: as `types.create` takes it, and with `renamedFrom`. */
export type FieldDefinition = Defined<FieldInput>

/** A content type as code defines it: as `types.create` takes it, and with `renamedFrom`. */
export interface TypeDefinitionInput {
  /** The unique name of the content type, such as `opening-hours`. */
  readonly name: string
  /** The name that the content type had before. It can be renamed while it has no items. */
  readonly renamedFrom?: string
  /** Default: the name. */
  readonly displayName?: string
  /** The unique GraphQL-safe name. Default: the name in PascalCase. */
  readonly apiName?: string
  readonly description?: string
  readonly settings?: Defined<TypeSettingsInput>
  /** The fields of its items, in order. */
  readonly fields: readonly FieldDefinition[]
}

/** The TypeScript types of values without inner fields, by the kind of the field. */
interface ScalarValues {
  text: string
  richText: string
  number: number
  integer: number
  boolean: boolean
  date: string
  datetime: number
  reference: string
  asset: string
  category: string
  url: string
  email: string
  slug: string
  color: string
  geo: { lat: number; lng: number }
  json: JsonValue
}

/**
 * The fields of the items of a content type. Each is optional, because a draft may be incomplete.
 * @example
 * type ArticleFields = Fields<typeof article>
 */
export type Fields<T extends { readonly fields: readonly unknown[] }> = ValuesOf<T['fields']>

/**
 * The same as a call with `locale: '*'` reads and writes them: each localized field is an object of its
 * values by locale.
 * @example
 * type ArticleTranslations = Localized<typeof article>
 */
export type Localized<T extends { readonly fields: readonly unknown[] }> = ValuesOf<T['fields'], true>

/**
 * The values of a list of fields. `L`: localized ones are objects by locale; none is below another.
 * The intersection makes editors show the members.
 */
type ValuesOf<F extends readonly unknown[], L = never> = {
  -readonly [One in F[number] as NameOf<One>]?: One extends { readonly localized: L }
    ? { readonly [locale: string]: ValueOf<One, never> }
    : ValueOf<One, L>
} & {}

type NameOf<One> = One extends { readonly name: infer N extends string } ? N : never

type ValueOf<One, L> = One extends { readonly list: true } ? SingleOf<One, L>[] : SingleOf<One, L>

/** One value of a field. */
type SingleOf<One, L> = One extends { readonly kind: infer K; readonly settings?: infer S }
  ? K extends 'group'
    ? S extends { readonly fields: infer F extends readonly unknown[] }
      ? ValuesOf<F, L>
      : never
    : K extends 'union'
      ? S extends { readonly variants: readonly (infer V)[] }
        ? BlockOf<V, L>
        : never
      : S extends { readonly options: readonly (infer O extends string)[] }
        ? O
        : K extends keyof ScalarValues
          ? ScalarValues[K]
          : JsonValue
  : never

/** A value of a union: an object with its variant in `type`. */
type BlockOf<V, L> = V extends { readonly name: infer N; readonly fields: infer F extends readonly unknown[] }
  ? { type: N } & ValuesOf<F, L>
  : never

/** The fields of the items of each content type, by its name. */
export type ContentOf<T extends readonly TypeDefinitionInput[]> = {
  [One in T[number] as One['name']]: Fields<One>
}

/** A schema as calls with `locale: '*'` have it. Only for the compiler. */
export interface LocalizedSchema<T extends readonly TypeDefinitionInput[]> {
  readonly types: readonly object[]
  readonly content?: { [One in T[number] as One['name']]: Localized<One> }
  readonly definitions?: T
  readonly locale: '*'
}
