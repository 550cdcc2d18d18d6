import { StoreUnavailable, type Store, type StoreReader, type Transaction } from '../ports/index.ts'
import { memoryEntities } from './entities.ts'
import { memoryEphemera } from './ephemera.ts'
import { memoryJournal } from './journal.ts'
import { memoryRecords, type Generation } from './records.ts'
import { State } from './state.ts'

/**
 * A store in memory: for tests, storybooks and whatever may be lost with the process. Transactions run one after another, each
 * on a layer over what is committed; a throw drops the layer.
 */
export function createMemoryStore(): Store {
  const state = new State()
  const generations = { committed: 1, seen: 1 }
  const reader = readerOf(state, generations)
  const queue = { last: Promise.resolve() as Promise<unknown>, closed: false }
  return {
    ...reader,
    transaction: (work) => {
      if (queue.closed) return Promise.reject(closedError())
      const done = queue.last.then(() => transact(state, generations, work))
      queue.last = done.catch(() => undefined)
      return done
    },
    ping: async () => {
      if (queue.closed) throw closedError()
    },
    close: async () => {
      queue.closed = true
      await queue.last
    },
  }
}

interface Generations {
  /** What readers outside see. */
  committed: number
  /** The last number given out, inside or outside. */
  seen: number
}

function readerOf(state: State, generations: Generations): StoreReader {
  return portsOf(state, { current: () => generations.committed, advance: () => undefined })
}

function portsOf(state: State, generation: Generation) {
  return {
    entities: memoryEntities(state),
    records: memoryRecords(state, generation),
    journal: memoryJournal(state),
    ephemera: memoryEphemera(state),
  }
}

async function transact<T>(
  state: State,
  generations: Generations,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const layer = state.layer()
  const generation = generationInside(generations)
  const result = await work(transactionOn(layer, generation))
  layer.commit()
  if (generation.current() !== generations.committed) generations.committed = ++generations.seen
  return result
}

/** Inside a transaction the generation is the committed one until a record is written, then one that nobody else sees. */
function generationInside(generations: Generations): Generation {
  let current = generations.committed
  return {
    current: () => current,
    advance: () => {
      current = ++generations.seen
    },
  }
}

function transactionOn(layer: State, generation: Generation): Transaction {
  return {
    ...portsOf(layer, generation),
    nested: async (work) => {
      const inner = layer.layer()
      const result = await work(transactionOn(inner, generation))
      inner.commit()
      return result
    },
  }
}

function closedError(): StoreUnavailable {
  return new StoreUnavailable('closed', 'the store is closed')
}
