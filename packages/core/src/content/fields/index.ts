import type { Field, FieldKind } from '@quire/contract'
import { asset } from './asset.ts'
import { boolean } from './boolean.ts'
import { category } from './category.ts'
import { color } from './color.ts'
import { date } from './date.ts'
import { datetime } from './datetime.ts'
import { email } from './email.ts'
import { geo } from './geo.ts'
import { group } from './group.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { number } from './number.ts'
import { reference } from './reference.ts'
import { richText } from './rich-text.ts'
import type { FieldRules } from './rules.ts'
import { slug } from './slug.ts'
import { text } from './text.ts'
import { union } from './union.ts'
import { url } from './url.ts'

const fieldRules: { readonly [K in FieldKind]: FieldRules<K> } = {
  text,
  richText,
  number,
  integer,
  boolean,
  date,
  datetime,
  reference,
  asset,
  category,
  url,
  email,
  slug,
  color,
  geo,
  json,
  group,
  union,
}

/** The kinds whose fields can be `unique` if they are not lists. */
export const uniqueKinds: readonly string[] = Object.entries(fieldRules).flatMap(([kind, { canBeUnique }]) =>
  canBeUnique ? [kind] : [],
)

/** The rules of a field's kind. Call them only with the settings of that same field. */
export function rulesOf({ kind }: Field): FieldRules<FieldKind> {
  // The entry matches the field's kind. TypeScript cannot express that: a mapped type meets a union
  // here.
  return fieldRules[kind] as FieldRules<FieldKind>
}
