import { anyItem, idGraph, idKind, type FieldRules } from './rules.ts'

/** A field that holds the id of a category. */
export const category: FieldRules<'category'> = {
  ...idKind,
  target: ({ taxonomyId }) => ({ ...anyItem, kind: 'category', taxonomyId }),
  graphql: { ...idGraph, output: () => ({ as: 'category' }) },
}
