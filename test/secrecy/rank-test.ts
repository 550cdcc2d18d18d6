export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return ((sorted[middle] ?? Number.NaN) + (sorted.at(-1 - middle) ?? Number.NaN)) / 2
}

/**
 * The probability that two samples of the same distribution differ in rank at least as much as
 * these (Mann-Whitney, two-sided, normal approximation without a correction for ties, since times
 * in nanoseconds have hardly any). For samples of more than 20.
 */
export function rankTest(ones: readonly number[], others: readonly number[]): number {
  const all = [...ones.map((value) => [value, 1] as const), ...others.map((value) => [value, 0] as const)]
  const ranked = all.toSorted(([a], [b]) => a - b)
  const rankSum = ranked.reduce((sum, [, isOne], index) => sum + isOne * (index + 1), 0)
  const [n, m] = [ones.length, others.length]
  const u = rankSum - (n * (n + 1)) / 2
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * (1 - normal(Math.abs(u - (n * m) / 2) / deviation))
}

/**
 * The standard normal distribution for z ≥ 0, accurate to 7.5e-8 (Abramowitz and Stegun 26.2.17).
 */
function normal(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * z)
  const factors = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429]
  const series = factors.reduce((sum, factor, index) => sum + factor * t ** (index + 1), 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
}
