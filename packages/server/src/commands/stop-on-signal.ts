import { constants } from 'node:os'
import type { FlushableLog } from '../log/pino-log.ts'

/** What ends when the process is told to. */
export interface Stoppable {
  readonly log: FlushableLog
  /** Begins nothing more, finishes what is under way and closes what is open. Called once. */
  readonly stop: () => Promise<void>
}

/**
 * With the first SIGTERM or SIGINT stops and ends with 0. With the second one ends at once, as a process does that a signal ends: 128 and its
 * number. What it gives stops and ends with 0 in the same way, without a signal; what is under way by then is not begun twice.
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
  let isReported = false
  const reported = (signal: 'SIGTERM' | 'SIGINT') => {
    if (isReported) end(128 + constants.signals[signal])
    isReported = true
    log.write('info', 'stopping', { signal })
    void stopOnce()
  }
  process.on('SIGTERM', reported)
  process.on('SIGINT', reported)
  return stopOnce
}
