import { argv, env, execArgv, execPath, execve, platform } from 'node:process'

/** Megabytes of each of the two halves in which V8 keeps new objects. Reads alone never need more; left alone it grows to 64. */
const semiSpaceMb = 16

/**
 * Starts this process anew in its own place, with a bound on the memory of young objects that V8 takes at its start only. Large
 * archives and many uploads otherwise let it grow to 128 MB, which stay taken, and make its collections longer. Costs some 20 ms. Where
 * the command line or NODE_OPTIONS name a size of their own, and with a Node or on a system that cannot do it, nothing is done.
 */
export function boundYoungGeneration(): void {
  const isReported = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((options) => /semi[-_]space/.test(options))
  if (isReported || platform === 'win32' || typeof execve !== 'function') return
  const options = [`--max-semi-space-size=${semiSpaceMb}`, ...execArgv]
  execve(execPath, [execPath, ...options, ...argv.slice(1)], env)
}
