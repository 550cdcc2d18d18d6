import type { Json } from '../../ports/index.ts'
import { no, ok, plain, type Checked, type FieldTarget } from './rules.ts'

/** What kinds whose values are ids have in common. Whether the target is there is checked at a publish, not at a save. */
export const idKind = {
  ...plain,
  check: checkId,
  comparison: 'text',
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: { single: 'value', list: 'set' },
} as const

const id = /^[A-Z]{2,8}_[0-9A-Z]{26}$/

function checkId(value: Json): Checked {
  return typeof value === 'string' && id.test(value) ? ok(value) : no('must be an id')
}

/** Any item, which can be deleted as if nothing referred to it. */
export const anyItem: FieldTarget = {
  kind: 'item',
  types: [],
  taxonomyId: null,
  file: null,
  onDelete: 'ignore',
}

const sentId = { as: 'value', type: 'ID' } as const

/** An id is sent. What it is shown as may be gone, or hidden from the caller. */
export const idGraph = { input: () => sentId, hasNullEntries: true }
