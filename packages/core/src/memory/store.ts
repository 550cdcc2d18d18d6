import { StoreUnavailable, type Store, type Transaction } from '../ports/index.ts'
import { memoryEntities } from './entities.ts'
import { memoryEphemera } from './ephemera.ts'
import { memoryJobs } from './jobs.ts'
import { memoryJournal } from './journal.ts'
import { memoryRecords } from './records.ts'
import { memoryIndexes } from './search-index.ts'
import { commitState, newState, type OpenState, type State } from './state.ts'
import { memoryTexts } from './texts.ts'

/**
 * A store in memory: for tests, storybooks and whatever may be lost with the process. Transactions run one after another, each
 * on a layer over what is committed; a throw drops the layer, and readers outside never see it.
 */
export function createMemoryStore(): Store {
  const state = newState()
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  const open: OpenState = () => {
    if (closed) throw new StoreUnavailable('closed', 'The store is closed.')
    return state
  }
  return {
    ...portsOf(open),
    indexes: memoryIndexes(open),
    transaction: async (work) => {
      open()
      const done = last.then(() => within(state, work))
      last = done.catch(() => undefined)
      return done
    },
    ping: async () => void open(),
    close: async () => {
      closed = true
      await last
    },
  }
}

/** Runs work on a layer over `base`, which takes the layer over when the work is done, and never sees it when that throws. */
async function within<T>(base: State, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const layer = newState(base)
  let ended = false
  const open: OpenState = () => {
    if (ended) throw new StoreUnavailable('closed', 'The transaction has ended.')
    return layer
  }
  try {
    const result = await work({ ...portsOf(open), nested: (inner) => within(open(), inner) })
    commitState(layer)
    return result
  } finally {
    ended = true
  }
}

function portsOf(open: OpenState) {
  return {
    entities: memoryEntities(open),
    records: memoryRecords(open),
    journal: memoryJournal(open),
    jobs: memoryJobs(open),
    ephemera: memoryEphemera(open),
    texts: memoryTexts(open),
  }
}
