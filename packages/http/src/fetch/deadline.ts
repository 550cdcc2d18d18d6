import { QuireError, type Endpoint } from '@quire/contract'
import { isStreamed, takesForms } from '../bodies/media-types.ts'

/**
 * Milliseconds that a response may take (TRUST 4.2). At half, a large merge on a busy server could
 * exceed it; at twice, proxies time out first.
 */
export const answerMs = 30_000

/**
 * Whether a response waits for something remote: a proxied service, a file that is fetched, or the
 * storage of binaries.
 */
export function waitsForOthers({ answer, fetchesFile }: Pick<Endpoint, 'answer' | 'fetchesFile'>): boolean {
  return answer === 'proxied' || answer === 'bytes' || fetchesFile === true
}

/** Whether the answer of an endpoint must begin in time. Files have no limit. */
export function hasDeadline(endpoint: Pick<Endpoint, 'answer' | 'body' | 'fetchesFile'>): boolean {
  return !waitsForOthers(endpoint) && !takesForms(endpoint) && !isStreamed(endpoint)
}

/** The error for an operation that continues, and may still succeed. */
export function tooSlow(ms: number): QuireError {
  return new QuireError(
    'unavailable',
    `The operation is taking longer than ${ms / 1000} s. It may still complete: check before you retry.`,
    { details: { retryAfter: ms / 1000 } },
  )
}

/** The result of an operation. Errors: `unavailable` when it takes too long. */
export async function withDeadline<T>(
  endpoint: Pick<Endpoint, 'answer' | 'body' | 'fetchesFile'>,
  running: Promise<T>,
  ms = answerMs,
): Promise<T> {
  if (!hasDeadline(endpoint)) return running
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(ms)), ms)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}
