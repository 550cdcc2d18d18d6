import type { ChangeKind } from './seed-content.ts'

/** The state of an item of main as one line of text: in the file, and in the API's answer. */
export interface ItemState {
  /**
   * Marks of the versions | marks of body, JSON and index | whether it is live | its journal
   * events.
   */
  readonly inFile: string
  /** Newest version and mark. */
  readonly inApi: string
}

/** A missing item. */
const absent: ItemState = { inFile: '', inApi: '' }

const untouched: ItemState = {
  inFile: 'before | before before before | live | ITEM_CREATED',
  inApi: '1 before',
}

/**
 * The allowed states of an item on main: before the merge, or after it with at most one new
 * version.
 */
const itemStates: Readonly<Record<ChangeKind, { before: ItemState; after: ItemState }>> = {
  update: {
    before: untouched,
    after: {
      inFile: 'before after | after after after | live | ITEM_CREATED ITEM_UPDATED',
      inApi: '2 after',
    },
  },
  create: {
    before: absent,
    after: { inFile: 'after | after after after | live | ITEM_CREATED', inApi: '1 after' },
  },
  delete: {
    before: untouched,
    after: { inFile: 'before | before before - | deleted | ITEM_CREATED ITEM_DELETED', inApi: '' },
  },
  none: { before: untouched, after: untouched },
}

/** How much of a merge main has. */
export interface Tally {
  /** Numbers of changed items in their old and in their new state. */
  readonly before: number
  readonly after: number
  /** Items in any other state, with a description. */
  readonly strange: readonly string[]
}

/** Compares all known items, and all items in the file, with their allowed states. */
export function tallyItems(
  items: ReadonlyMap<string, ChangeKind>,
  found: ReadonlyMap<string, string>,
  from: keyof ItemState,
): Tally {
  const states = [...items].map(([id, kind]) => {
    const { before, after } = itemStates[kind]
    const state = found.get(id) ?? ''
    if (kind === 'none') return state === before[from] ? 'untouched' : `${id}: ${state}`
    if (state === before[from]) return 'before'
    return state === after[from] ? 'after' : `${id} (${kind}): ${state}`
  })
  const count = (wanted: string) => states.filter((state) => state === wanted).length
  const known = ['before', 'after', 'untouched']
  const foreign = [...found.keys()].filter((id) => !items.has(id))
  return {
    before: count('before'),
    after: count('after'),
    strange: [...states.filter((state) => !known.includes(state)), ...foreign],
  }
}
