import { StoreConflict } from '../ports/store.ts'

/** An append to a partial blob, from before it touches the blob until it has finished. */
export interface AppendSlot {
  /**
   * Runs a step that reads or changes the blob. Errors: StoreConflict once another append has taken
   * over, also if that happened during the step: this append must then no longer report what it
   * wrote.
   */
  step<T>(work: () => Promise<T>): Promise<T>
  /** Whether another append has taken over. */
  isOver(): boolean
  /**
   * False when another append ran at the same time and neither took over: their bytes are mixed.
   */
  isAlone(): boolean
  leave(): void
}

/** The appends that are running in one process. */
export interface AppendSlots {
  /** Begins an append without ending those that are running. */
  enter(id: string): AppendSlot
  /**
   * Begins an append and ends all others: when it resolves, none of them touches the blob any more.
   */
  takeOver(id: string): Promise<AppendSlot>
}

interface RunningAppend {
  readonly id: string
  isOver: boolean
  isMixed: boolean
  /** The running step. Never rejects. */
  work: Promise<unknown>
}

/** Creates the registry of appends, initially empty. */
export function createAppendSlots(): AppendSlots {
  const held = new Map<string, Set<RunningAppend>>()
  const enter = (id: string, work: RunningAppend['work']) => {
    const here = held.get(id) ?? new Set()
    held.set(id, here)
    const slot: RunningAppend = { id, isOver: false, isMixed: false, work }
    here.add(slot)
    if (here.size > 1) for (const one of here) one.isMixed = true
    return slot
  }
  const leave = (slot: RunningAppend) => {
    const here = held.get(slot.id)
    here?.delete(slot)
    if (here?.size === 0) held.delete(slot.id)
  }
  return {
    enter: (id) => slotOf(enter(id, Promise.resolve()), leave),
    async takeOver(id) {
      const others = [...(held.get(id) ?? [])]
      for (const other of others) {
        other.isOver = true
        leave(other)
      }
      // An append that takes over from this one meanwhile also waits for the others.
      const slot = enter(id, Promise.all(others.map(({ work }) => work)))
      await slot.work
      return slotOf(slot, leave)
    },
  }
}

function slotOf(slot: RunningAppend, leave: (slot: RunningAppend) => void): AppendSlot {
  return {
    async step(work) {
      requireNotOver(slot)
      const result = work()
      slot.work = result.catch(() => undefined)
      const done = await result
      requireNotOver(slot)
      return done
    },
    isOver: () => slot.isOver,
    isAlone: () => !slot.isMixed,
    leave: () => leave(slot),
  }
}

function requireNotOver({ id, isOver }: RunningAppend): void {
  if (isOver) throw new StoreConflict('stale', id)
}
