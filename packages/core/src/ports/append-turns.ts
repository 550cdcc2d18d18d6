import { StoreConflict } from './store.ts'

/** An append to a partial blob, from before it touches that until it is done with it. */
export interface AppendTurn {
  /**
   * Does a step that reads or changes the blob. Errors: StoreConflict once another append took over, also when it did so during
   * the step: what was written is then no longer this one's to tell of.
   */
  step<T>(work: () => Promise<T>): Promise<T>
  /** Whether another append took over. */
  isOver(): boolean
  /** False when another append was under way at the same time and neither took over: their bytes are mixed. */
  isAlone(): boolean
  leave(): void
}

/** The appends that are under way in one process. */
export interface AppendTurns {
  /** Begins an append beside those that are under way. */
  enter(id: string): AppendTurn
  /** Begins an append that ends the others: when it resolves, none of them touches the blob any more. */
  takeOver(id: string): Promise<AppendTurn>
}

interface Held {
  readonly id: string
  isOver: boolean
  isMixed: boolean
  /** The step under way. Never rejects. */
  work: Promise<unknown>
}

/** No append is under way yet. */
export function createAppendTurns(): AppendTurns {
  const held = new Map<string, Set<Held>>()
  const enter = (id: string, work: Held['work']) => {
    const here = held.get(id) ?? new Set()
    held.set(id, here)
    const turn: Held = { id, isOver: false, isMixed: false, work }
    here.add(turn)
    if (here.size > 1) for (const one of here) one.isMixed = true
    return turn
  }
  const leave = (turn: Held) => {
    const here = held.get(turn.id)
    here?.delete(turn)
    if (here?.size === 0) held.delete(turn.id)
  }
  return {
    enter: (id) => turnOf(enter(id, Promise.resolve()), leave),
    async takeOver(id) {
      const others = [...(held.get(id) ?? [])]
      for (const other of others) {
        other.isOver = true
        leave(other)
      }
      // Who takes over from this one meanwhile waits for the others too.
      const turn = enter(id, Promise.all(others.map(({ work }) => work)))
      await turn.work
      return turnOf(turn, leave)
    },
  }
}

function turnOf(turn: Held, leave: (turn: Held) => void): AppendTurn {
  return {
    async step(work) {
      requireTurn(turn)
      const doing = work()
      turn.work = doing.catch(() => undefined)
      const done = await doing
      requireTurn(turn)
      return done
    },
    isOver: () => turn.isOver,
    isAlone: () => !turn.isMixed,
    leave: () => leave(turn),
  }
}

function requireTurn({ id, isOver }: Held): void {
  if (isOver) throw new StoreConflict('stale', id)
}
