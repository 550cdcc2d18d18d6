import type { ChangeKind } from './seed-content.ts'

/** An item of main as one branch of text: as the file has it, and as the API answers it. */
export interface ItemState {
  /** Marks of the versions | marks of body, JSON and index | whether it lives | what the journal says. */
  readonly inFile: string
  /** Newest version and mark. */
  readonly inApi: string
}

/** What nobody has or is shown. */
const absent: ItemState = { inFile: '', inApi: '' }

const untouched: ItemState = {
  inFile: 'before | before before before | live | ITEM_CREATED',
  inApi: '1 before',
}

/** What main may have of an item: before the merge, or after it, with one new version or none. Nothing in between. */
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
  /** Changed items as they were before, and as they are to be. */
  readonly before: number
  readonly after: number
  /** What is neither, with what it is instead. */
  readonly strange: readonly string[]
}

/** Compares every item that is known, and every one that was found, with the states that it may have. */
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
