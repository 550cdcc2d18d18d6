import { isJsonObject, type EphemeraReader, type EphemeraWriter, type Json } from '../ports/index.ts'

/** What an account uses: calls, and bytes of their inputs and answers. */
export interface Use {
  readonly calls: number
  readonly bytes: number
}

/** A day (UTC) of an account. */
export interface Day {
  /** Under which the store has its use. */
  readonly key: string
  /** Unix ms at which the next day begins. */
  readonly end: number
}

const dayMs = 86_400_000

/** The day of an account that contains a time in Unix ms. */
export function dayOf(owner: string, now: number): Day {
  const start = now - (now % dayMs)
  return { key: `use:${owner}:${start}`, end: start + dayMs }
}

/** The use of a day as far as it is written, and whether a call was refused for it. */
export interface DayUse extends Use {
  readonly isRefused: boolean
}

/** What an account has used on a day, in all processes. */
export async function dayUse(ephemera: EphemeraReader, { key }: Day, now: number): Promise<DayUse> {
  const stored: Json = JSON.parse((await ephemera.get(key, now)) ?? '{}')
  const { calls = 0, bytes = 0, refused = false } = isJsonObject(stored) ? stored : {}
  return { calls: Number(calls), bytes: Number(bytes), isRefused: refused === true }
}

/** Adds to the use of a day, or notes that a call was refused for it. */
export async function addUse(
  ephemera: EphemeraWriter,
  day: Day,
  { now, refused = false, ...use }: Use & { readonly now: number; readonly refused?: boolean },
): Promise<void> {
  const before = await dayUse(ephemera, day, now)
  const after = { calls: before.calls + use.calls, bytes: before.bytes + use.bytes }
  const value = { ...after, ...((refused || before.isRefused) && { refused: true }) }
  await ephemera.put(day.key, JSON.stringify(value), day.end)
}

/** What calls of this process use that is not written yet, by day. */
export interface Unwritten {
  /**
   * Runs a step of a day's calls; no other step of the day runs meanwhile. `unwritten` is what calls
   * that are under way use, or could not write; the step changes it.
   */
  step<T>(day: Day, work: (unwritten: UnwrittenUse) => Promise<T>): Promise<T>
}

/** Use that is not written yet. */
export interface UnwrittenUse {
  calls: number
  bytes: number
}

interface Steps {
  readonly use: UnwrittenUse
  count: number
  last: Promise<unknown>
}

/** Nothing is under way at first. */
export function createUnwritten(): Unwritten {
  const days = new Map<string, Steps>()
  return {
    async step({ key }, work) {
      const steps = days.get(key) ?? { use: { calls: 0, bytes: 0 }, count: 0, last: Promise.resolve() }
      days.set(key, steps)
      steps.count += 1
      const mine = steps.last.then(() => work(steps.use))
      steps.last = mine.catch(() => undefined)
      try {
        return await mine
      } finally {
        steps.count -= 1
        const isEmpty = steps.use.calls === 0 && steps.use.bytes === 0
        if (steps.count === 0 && isEmpty) days.delete(key)
      }
    },
  }
}
