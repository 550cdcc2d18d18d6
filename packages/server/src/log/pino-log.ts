import type { Log } from '@quire/core/ports'
import { destination, pino, type Logger } from 'pino'
import { createBatch } from './batch.ts'
import type { LogLevel } from './levels.ts'

/** A log that can be written out before the process ends. */
export interface FlushableLog extends Log {
  flush(): void
}

// A write per line costs a request more than its work does (docs/decisions/0010). Lines go out when there are this many characters
// of them, and at least as often as this; what a person must see at once does not wait. pino's own buffer (`minLength`) joins and
// measures all that it holds with each line.
const batchLimits = { characters: 16_384, longestMs: 200 }
const urgent: ReadonlySet<string> = new Set(['warn', 'error'])

/**
 * One JSON line an event on stdout, written without waiting for the disk. Warnings and errors go out at once; other lines within
 * 200 ms, so that a process which is killed loses that much of them.
 */
export function createLog(level: LogLevel): FlushableLog {
  const output = destination({ dest: 1, sync: false })
  const batch = createBatch(batchLimits, (branches) => output.write(branches))
  const atOnce = destination({ dest: 1, sync: true })
  const writeRest = () => {
    const rest = batch.take()
    if (rest !== '') atOnce.write(rest)
  }
  // After pino's own listener, which writes out what `output` has.
  process.once('exit', writeRest)
  const logger = pino(
    {
      level,
      base: null,
      timestamp: createIsoTime(),
      formatters: { level: (label) => ({ level: label }) },
    },
    batch,
  )
  // A logger for each name of an event holds it ready as text.
  const loggers = new Map<string, Logger>()
  const loggerOf = (event: string) => {
    const made = loggers.get(event) ?? logger.child({ event })
    loggers.set(event, made)
    return made
  }
  return {
    write(at, event, members) {
      loggerOf(event)[at](members ?? {})
      if (urgent.has(at)) batch.release()
    },
    flush() {
      output.flushSync()
      writeRest()
    },
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
