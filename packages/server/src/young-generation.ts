// Deno has no `execve`, and an import by its name would fail.
import process, { argv, env, execArgv, execPath, platform } from 'node:process'

/**
 * Size in MB of each of the two semi-spaces for new objects in V8. Reads alone never need more.
 * Without a bound it grows to 64.
 */
const semiSpaceMb = 16

/**
 * Replaces this process with itself, started with a bound on V8's young generation, and with the
 * function that `releaseStartMemory` calls: V8 reads these options only on start. Without the bound,
 * large archives and many uploads let it grow to 128 MB, which are not returned and make collections
 * longer. Costs about 20 ms. Does nothing when the command line or NODE_OPTIONS already set a size,
 * or when Node or the system cannot do it.
 */
export function boundYoungGeneration(): void {
  const isConfigured = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((options) =>
    /semi[-_]space/.test(options),
  )
  if (isConfigured || platform === 'win32' || typeof process.execve !== 'function') return
  const options = [`--max-semi-space-size=${semiSpaceMb}`, '--expose-gc', ...execArgv]
  process.execve(execPath, [execPath, ...options, ...argv.slice(1)], env)
}
