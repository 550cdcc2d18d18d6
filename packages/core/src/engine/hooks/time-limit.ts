import type { Environment } from '../environment.ts'

/** Why a hook was given up. */
export class HookTimeout extends Error {
  override readonly name = 'TimeoutError'
}

/** The default of `Hooks.timeoutMs`. */
const defaultTimeoutMs = 5_000

/** Milliseconds that a hook may take. */
export function timeoutMsOf({ hooks }: Pick<Environment, 'hooks'>): number {
  return hooks?.timeoutMs ?? defaultTimeoutMs
}

/**
 * Runs a hook, whose signal is aborted after `ms`, or with the given signal. What the hook does
 * after that is ignored. Errors: those of the hook; HookTimeout; the reason of the given signal.
 */
export async function withTimeLimit<T>(
  { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal | undefined },
  run: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  const abort = new AbortController()
  const giveUp = (reason: unknown) => {
    abort.abort(reason)
    reject(reason)
  }
  const timer = setTimeout(() => giveUp(new HookTimeout(`It took longer than ${ms} ms.`)), ms)
  const leave = () => giveUp(signal?.reason)
  signal?.addEventListener('abort', leave)
  try {
    return await Promise.race([givenUp, run(abort.signal)])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}
