import type { Log } from '@quire/core/ports'
import { destination, pino } from 'pino'
import type { LogLevel } from './levels.ts'

/** A log that can be written out before the process ends. */
export interface FlushableLog extends Log {
  flush(): void
}

// A write per line costs a request more than its work does (docs/decisions/0010). Lines go out when there are this many bytes
// of them, and at least as often as this; what a person must see at once does not wait.
const buffering = { minLength: 4096, periodicFlush: 200 }
const urgent: ReadonlySet<string> = new Set(['warn', 'error'])

/**
 * One JSON line an event on stdout, written without waiting for the disk. Warnings and errors go out at once; other lines within
 * 200 ms, so that a process which is killed loses that much of them.
 */
export function createLog(level: LogLevel): FlushableLog {
  const output = destination({ dest: 1, sync: false, ...buffering })
  const logger = pino(
    {
      level,
      base: null,
      timestamp: createIsoTime(),
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  )
  return {
    write(at, event, members) {
      logger[at]({ event, ...members })
      if (urgent.has(at)) output.flush()
    },
    flush: () => output.flushSync(),
  }
}

/** pino's `isoTime`, made once a millisecond: a busy server writes several lines in each. */
function createIsoTime(): () => string {
  let madeAt = Number.NaN
  let member = ''
  return () => {
    const now = Date.now()
    if (now !== madeAt) {
      madeAt = now
      member = `,"time":"${new Date(now).toISOString()}"`
    }
    return member
  }
}
