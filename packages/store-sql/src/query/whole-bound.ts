/** Above every stored integer. */
const BEYOND = 2 ** 53

/**
 * Rounds a bound to the integer that gives the same result for a column of integers. Some databases
 * accept no other numbers there.
 */
export function wholeBound(op: 'gt' | 'gte' | 'lt' | 'lte', bound: number): number {
  const whole = op === 'gt' || op === 'lte' ? Math.floor(bound) : Math.ceil(bound)
  return Math.min(Math.max(whole, -BEYOND), BEYOND)
}
