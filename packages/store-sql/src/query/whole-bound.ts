/** Beyond every whole number that is kept. */
const BEYOND = 2 ** 53

/** The whole number that a column of whole numbers is compared with in place of any other: some databases know of no others there. */
export function wholeBound(op: 'gt' | 'gte' | 'lt' | 'lte', bound: number): number {
  const whole = op === 'gt' || op === 'lte' ? Math.floor(bound) : Math.ceil(bound)
  return Math.min(Math.max(whole, -BEYOND), BEYOND)
}
