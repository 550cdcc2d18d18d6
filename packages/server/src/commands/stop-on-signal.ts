import { constants } from 'node:os'
import type { FlushableLog } from '../log/pino-log.ts'

/** What is stopped before the process exits. */
export interface Stoppable {
  readonly log: FlushableLog
  /** Starts nothing new, finishes what is under way and closes what is open. Called once. */
  readonly stop: () => Promise<void>
}

/**
 * On the first SIGTERM or SIGINT, stops and exits with 0. On the second, exits at once with 128
 * plus the number of the signal, as a process killed by that signal would. The returned function
 * stops and exits with 0 in the same way, without a signal. `stop` is never called twice.
 */
export function stopOnSignal({ log, stop }: Stoppable): () => Promise<never> {
  const end = (code: number): never => {
    log.flush()
    process.exit(code)
  }
  let stopping: Promise<never> | undefined
  const stopOnce = () =>
    (stopping ??= stop().then(() => {
      log.write('info', 'stopped')
      return end(0)
    }))
  let isStopping = false
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    if (isStopping) end(128 + constants.signals[signal])
    isStopping = true
    log.write('info', 'stopping', { signal })
    void stopOnce()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return stopOnce
}
