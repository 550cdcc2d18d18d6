import type { Load, Measured } from './load.ts'
import { sendByWrk } from './wrk.ts'

/** One row of the result table. */
export interface Figure {
  readonly what: string
  /** The figure that is compared with the target. */
  readonly value: number
  readonly unit: string
  /** The minimum over the rounds. Equal to `value` if there was only one. */
  readonly min: number
  readonly max: number
  /** The figure when it was first measured by a program that is not ours. */
  readonly before?: number
  /** Absent if the figure is only reported, without a target. */
  readonly target?: number
  /** Whether `target` is a lower or an upper bound. */
  readonly bound?: 'atLeast' | 'atMost'
  readonly detail: string
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ]
  return (low + high) / 2
}

/** The rate of a side in answers per second. */
export function rateOf(side: readonly Measured[]): number {
  return Math.round(median(side.map(({ rate }) => rate)))
}

/**
 * Sends two loads alternately and returns the measurements of each round. Loads are created anew
 * for each round, and their order alternates. A warm-up round, which does not count, lets both
 * sides compile their code.
 */
export async function interleaved(
  rounds: number,
  one: () => Load,
  other: () => Load,
): Promise<[Measured, Measured][]> {
  const pairs: [Measured, Measured][] = []
  for (let round = -1; round < rounds; round++) {
    const isOdd = Math.abs(round) % 2 === 1
    const first = await sendSound((isOdd ? other : one)())
    const second = await sendSound((isOdd ? one : other)())
    if (round >= 0) pairs.push(isOdd ? [second, first] : [first, second])
  }
  return pairs
}

/**
 * Runs several measurements in rounds and returns the results of each. Every round starts with the
 * next measurement. A warm-up round does not count, as with `interleaved`.
 */
export async function inRounds<T>(rounds: number, measures: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const results = measures.map((measure): { measure: () => Promise<T>; came: T[] } => ({ measure, came: [] }))
  for (let round = 0; round <= rounds; round++) {
    const first = round % results.length
    for (const { measure, came } of [...results.slice(first), ...results.slice(0, first)]) {
      const result = await measure()
      if (round > 0) came.push(result)
    }
  }
  return results.map(({ came }) => came)
}

/** Sends a load. Errors: any answer that is not a success. */
export async function sendSound(load: Load): Promise<Measured> {
  const measured = await sendByWrk(load)
  const failed = Object.keys(measured.statuses).filter((status) => !status.startsWith('2'))
  if (failed.length > 0) throw new Error(`unsuccessful answers: ${JSON.stringify(measured.statuses)}`)
  return measured
}

/** A figure from the ratios of several rounds. */
export function ratioLine(
  what: string,
  ratios: readonly number[],
  judged: Pick<Figure, 'target' | 'bound' | 'detail'>,
): Figure {
  return { what, unit: '×', ...spread(ratios), ...judged }
}

/** Median, minimum and maximum. */
export function spread(figures: readonly number[]): Pick<Figure, 'value' | 'min' | 'max'> {
  return { value: median(figures), min: Math.min(...figures), max: Math.max(...figures) }
}

/** A figure from a single measurement. */
export function singleFigure(line: Omit<Figure, 'min' | 'max'>): Figure {
  return { ...line, min: line.value, max: line.value }
}

/** Whether a figure meets its target. True if it has none. */
export function holds({ value, target, bound }: Figure): boolean {
  if (target === undefined) return true
  return bound === 'atLeast' ? value >= target : value <= target
}
