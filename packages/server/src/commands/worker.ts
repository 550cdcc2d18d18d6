import type { LogLevel } from '../log/levels.ts'
import { createLog } from '../log/pino-log.ts'
import { openQuire } from '../open-quire.ts'
import { allowedEgress } from './egress.ts'
import { locationsOf, type StorageFlags } from './storage-flags.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** Options of `quire worker`, parsed. */
export interface WorkerOptions extends StorageFlags {
  readonly baseUrl?: string
  readonly log: LogLevel
  readonly egressAllow?: string
  readonly renditionCache?: number
  readonly once: boolean
}

/**
 * Runs the jobs of a data folder or a database without serving, until it is stopped (see
 * `stopOnSignal`). With `once` it also stops when no job is due any more. Writes
 * `{"event":"working"}` to stdout once it has started, and exits with 0.
 */
export async function work(options: WorkerOptions): Promise<void> {
  const log = createLog(options.log)
  const { quire } = await openQuire({
    ...locationsOf(options),
    baseUrl: options.baseUrl ?? 'http://127.0.0.1:3000',
    log,
    egressAllow: allowedEgress(options),
    ...(options.renditionCache !== undefined && { renditionCacheBytes: options.renditionCache }),
  })
  // Neither database listeners nor the queue keep the process alive, so that a finished process can
  // exit. This timer does.
  const alive = setInterval(() => undefined, 60_000)
  const stop = stopOnSignal({
    log,
    stop: async () => {
      clearInterval(alive)
      await quire.close()
    },
  })
  quire.work()
  process.stdout.write(`${JSON.stringify({ event: 'working' })}\n`)
  if (!options.once) return
  await quire.settled()
  await stop()
}
