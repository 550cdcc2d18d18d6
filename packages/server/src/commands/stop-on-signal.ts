import { constants } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { FlushableLog } from '../log/pino-log.ts'
import type { ServedManagement } from '../management/serve-management.ts'
import type { OpenedQuire } from '../open-quire.ts'

/** What ends when the process is told to. */
export interface Stoppable {
  readonly app: FastifyInstance
  readonly opened: OpenedQuire
  readonly log: FlushableLog
  /** Tells of the service until its end. */
  readonly management: Pick<ServedManagement, 'close'> | null
  /** Settles when the demo is there: half a one would stay for good. */
  readonly loading: Promise<void>
}

/**
 * With the first SIGTERM or SIGINT takes nothing more in, finishes what is under way (ten seconds at most, TRUST F08), puts jobs back, folds
 * the log of the database into it and ends with 0. With the second one ends at once, as a process does that a signal ends: 128 and its number.
 */
export function stopOnSignal(stoppable: Stoppable): void {
  let isStopping = false
  const told = (signal: 'SIGTERM' | 'SIGINT') => {
    if (isStopping) end(stoppable, 128 + constants.signals[signal])
    isStopping = true
    void stop(stoppable, signal)
  }
  process.on('SIGTERM', told)
  process.on('SIGINT', told)
}

async function stop(stoppable: Stoppable, signal: NodeJS.Signals): Promise<void> {
  const { app, opened, log, management, loading } = stoppable
  log.write('info', 'stopping', { signal })
  await app.close()
  await loading
  await opened.quire.close()
  await management?.close()
  log.write('info', 'stopped')
  end(stoppable, 0)
}

function end({ log }: Stoppable, code: number): never {
  log.flush()
  process.exit(code)
}
