/**
 * The points inside of the server where a merge can be killed, in the order in which it reaches
 * them.
 */
const innerPoints = ['began', 'halfway', 'written', 'uncommitted', 'committed'] as const

/**
 * - `began`: the transaction is open, and the merge reads the package's content.
 * - `halfway`: half of the changes are on main.
 * - `written`: all changes are on main, but not the records of the merge.
 * - `uncommitted`: everything is written, COMMIT is next.
 * - `committed`: COMMIT is done, the answer is next.
 */
export type InnerPoint = (typeof innerPoints)[number]

/** The six named points. `sent`: the operating system has the request, but it is never read. */
export const points = ['sent', ...innerPoints] as const

/** A named point. */
export type Point = (typeof points)[number]

/** Whether a word names an inner point. */
export function isInnerPoint(word: string): word is InnerPoint {
  return innerPoints.some((point) => point === word)
}
