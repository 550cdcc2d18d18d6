import { sendLoad, type Load, type Measured } from './load.ts'

/** One line of the table. */
export interface Figure {
  readonly what: string
  /** The figure that is judged. */
  readonly value: number
  readonly unit: string
  /** Of the rounds; the same as value where there was one. */
  readonly min: number
  readonly max: number
  /** Absent: the figure is told, and nothing is wanted of it. */
  readonly target?: number
  /** Whether the figure must be at least or at most the target. */
  readonly bound?: 'atLeast' | 'atMost'
  readonly detail: string
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ]
  return (low + high) / 2
}

/**
 * Two loads in turn, made anew for each round and in turned order; what comes of each round. A round before them, which does not
 * count, lets both compile what they run.
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
 * Several measures in turn, each round from the next one on; what came of each. A round before them does not count, as with `interleaved`.
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

/** A load whose answers are all successes. */
export async function sendSound(load: Load): Promise<Measured> {
  const measured = await sendLoad(load)
  const failed = Object.keys(measured.statuses).filter((status) => !status.startsWith('2'))
  if (failed.length > 0) throw new Error(`answers other than success: ${JSON.stringify(measured.statuses)}`)
  return measured
}

/** A line from the ratios of rounds. */
export function ratioLine(
  what: string,
  ratios: readonly number[],
  judged: Pick<Figure, 'target' | 'bound' | 'detail'>,
): Figure {
  return { what, unit: '×', ...spread(ratios), ...judged }
}

/** The middle of figures, the least and the most. */
export function spread(figures: readonly number[]): Pick<Figure, 'value' | 'min' | 'max'> {
  return { value: median(figures), min: Math.min(...figures), max: Math.max(...figures) }
}

/** A line of one figure. */
export function branchOfOne(line: Omit<Figure, 'min' | 'max'>): Figure {
  return { ...line, min: line.value, max: line.value }
}

/** Whether a line holds its target; one without does. */
export function holds({ value, target, bound }: Figure): boolean {
  if (target === undefined) return true
  return bound === 'atLeast' ? value >= target : value <= target
}
