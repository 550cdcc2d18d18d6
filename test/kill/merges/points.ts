/** Where inside of the server a merge can be killed, in the order in which it comes there. */
const innerPoints = ['began', 'halfway', 'written', 'uncommitted', 'committed'] as const

/**
 * `began`: the transaction is open, and the merge reads what the package holds. `halfway`: half of the changes are on main.
 * `written`: all are, and the records of the merge not yet. `uncommitted`: the work is done, COMMIT is next.
 * `committed`: COMMIT is done, the answer is next.
 */
export type InnerPoint = (typeof innerPoints)[number]

/** The six points that have names. `sent`: the request is with the operating system, and never read. */
export const points = ['sent', ...innerPoints] as const

/** A point that has a name. */
export type Point = (typeof points)[number]

/** Whether a word names an inner point. */
export function isInnerPoint(word: string): word is InnerPoint {
  return innerPoints.some((point) => point === word)
}
