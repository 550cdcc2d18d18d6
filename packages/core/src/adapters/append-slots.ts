import { StoreConflict } from '../ports/store.ts'

/** An append to a partial blob, from before it touches that until it is done with it. */
export interface AppendSlot {
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
export interface AppendSlots {
  /** Begins an append beside those that are under way. */
  enter(id: string): AppendSlot
  /** Begins an append that ends the others: when it resolves, none of them touches the blob any more. */
  takeOver(id: string): Promise<AppendSlot>
}

interface Held {
  readonly id: string
  isOver: boolean
  isMixed: boolean
  /** The step under way. Never rejects. */
  work: Promise<unknown>
}

/** No append is under way yet. */
export function createAppendSlots(): AppendSlots {
  const held = new Map<string, Set<Held>>()
  const enter = (id: string, work: Held['work']) => {
    const here = held.get(id) ?? new Set()
    held.set(id, here)
    const slot: Held = { id, isOver: false, isMixed: false, work }
    here.add(slot)
    if (here.size > 1) for (const one of here) one.isMixed = true
    return slot
  }
  const leave = (slot: Held) => {
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
      // Who takes over from this one meanwhile waits for the others too.
      const slot = enter(id, Promise.all(others.map(({ work }) => work)))
      await slot.work
      return slotOf(slot, leave)
    },
  }
}

function slotOf(slot: Held, leave: (slot: Held) => void): AppendSlot {
  return {
    async step(work) {
      requireEpoch(slot)
      const context = work()
      slot.work = context.catch(() => undefined)
      const done = await context
      requireEpoch(slot)
      return done
    },
    isOver: () => slot.isOver,
    isAlone: () => !slot.isMixed,
    leave: () => leave(slot),
  }
}

function requireEpoch({ id, isOver }: Held): void {
  if (isOver) throw new StoreConflict('stale', id)
}
