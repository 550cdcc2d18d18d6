import { anyItem, idGraph, idKind, type FieldRules } from './rules.ts'

/** A field that holds the id of an item. */
export const reference: FieldRules<'reference'> = {
  ...idKind,
  target: ({ types, onDelete }) => ({ ...anyItem, types, onDelete }),
  graphql: { ...idGraph, output: ({ types }) => ({ as: 'item', types }) },
}
