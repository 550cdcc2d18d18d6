import { sendLoad, type Load, type Measured } from './load.ts'

/** One line of the table. */
export interface Line {
  readonly what: string
  /** The figure that is judged. */
  readonly value: number
  readonly unit: string
  /** Of the rounds; the same as value where there was one. */
  readonly min: number
  readonly max: number
  readonly target: number
  /** Whether the figure must be at least or at most the target. */
  readonly bound: 'atLeast' | 'atMost'
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
export async function inTurns(
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
  { target, bound, detail }: Pick<Line, 'target' | 'bound' | 'detail'>,
): Line {
  const value = median(ratios)
  return { what, value, unit: '×', min: Math.min(...ratios), max: Math.max(...ratios), target, bound, detail }
}

/** A line of one figure. */
export function lineOfOne(line: Omit<Line, 'min' | 'max'>): Line {
  return { ...line, min: line.value, max: line.value }
}

/** Whether a line holds its target. */
export function holds({ value, target, bound }: Line): boolean {
  return bound === 'atLeast' ? value >= target : value <= target
}
