import { anyItem, idGraph, idKind } from './ids.ts'
import type { FieldRules } from './rules.ts'

/** The id of an item. */
export const reference: FieldRules<'reference'> = {
  ...idKind,
  target: ({ types, onDelete }) => ({ ...anyItem, types, onDelete }),
  graphql: { ...idGraph, output: ({ types }) => ({ as: 'item', types }) },
}
