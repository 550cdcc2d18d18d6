import { anyItem, idGraph, idKind, type FieldRules } from './rules.ts'

/** A field that holds the id of an item with a file. */
export const asset: FieldRules<'asset'> = {
  ...idKind,
  target: (file) => ({ ...anyItem, file }),
  graphql: { ...idGraph, output: () => ({ as: 'item', types: [] }) },
}
