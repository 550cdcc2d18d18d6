import type { LogLevel } from '../log/levels.ts'
import { createLog, type FlushableLog } from '../log/pino-log.ts'
import { openQuire, type OpenedQuire } from '../open-quire.ts'
import { allowedEgress } from './egress.ts'

/** Options of `quire worker`, parsed. */
export interface WorkerOptions {
  readonly data: string
  readonly baseUrl?: string
  readonly log: LogLevel
  readonly egressAllow?: string
  readonly once: boolean
}

/**
 * Does the jobs of a data folder and serves nothing, until it is told to stop; with `once` until nothing is left to do that is due. Writes
 * `{"event":"working"}` to stdout once it has begun, and ends with 0.
 */
export async function work(options: WorkerOptions): Promise<void> {
  const log = createLog(options.log)
  const opened = await openQuire({
    data: options.data,
    baseUrl: options.baseUrl ?? 'http://127.0.0.1:3000',
    log,
    egressAllow: allowedEgress(options),
  })
  opened.quire.work()
  process.stdout.write(`${JSON.stringify({ event: 'working' })}\n`)
  if (!options.once) return stopOnSignal(opened, log)
  await opened.quire.settled()
  await end(opened, log)
}

function stopOnSignal(opened: OpenedQuire, log: FlushableLog): void {
  // What is listened to keeps no process alive; the queue does not either, so that one that is done can end.
  const alive = setInterval(() => undefined, 60_000)
  const stop = async () => {
    clearInterval(alive)
    await end(opened, log)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
}

async function end({ quire }: OpenedQuire, log: FlushableLog): Promise<void> {
  await quire.close()
  log.flush()
}
