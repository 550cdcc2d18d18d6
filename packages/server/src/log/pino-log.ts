import type { Log } from '@quire/core/ports'
import { destination, pino, stdTimeFunctions } from 'pino'
import type { LogLevel } from './levels.ts'

/** A log that can be written out before the process ends. */
export interface FlushableLog extends Log {
  flush(): void
}

/** One JSON line an event on stdout, written without waiting for the disk. */
export function createLog(level: LogLevel): FlushableLog {
  const output = destination({ dest: 1, sync: false })
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  )
  return {
    write: (at, event, members) => logger[at]({ event, ...members }),
    flush: () => output.flushSync(),
  }
}
