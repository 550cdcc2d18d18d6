import { anyItem, idGraph, idKind, type FieldRules } from './rules.ts'

/** The id of an item that has a file. */
export const asset: FieldRules<'asset'> = {
  ...idKind,
  target: (file) => ({ ...anyItem, file }),
  graphql: { ...idGraph, output: () => ({ as: 'item', types: [] }) },
}
