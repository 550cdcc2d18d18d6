import type { Log } from '@quire/core/ports'
import { destination, pino, type Logger } from 'pino'
import { createBatch } from './batch.ts'
import type { LogLevel } from './levels.ts'

/** A log that can be written out before the process ends. */
export interface FlushableLog extends Log {
  flush(): void
}

// One write per line costs a request more than its own work does (docs/decisions/0010). Lines are
// written once they have this many characters together, or after this time. Levels that a person
// must see at once do not wait. pino's own buffer (`minLength`) is slower: it joins and measures
// its whole content for each line.
const batchLimits = { characters: 16_384, longestMs: 200 }
const urgent: ReadonlySet<string> = new Set(['warn', 'error'])

/**
 * Writes one JSON line per event to stdout, without waiting for the output. Warnings and errors are
 * written at once, other lines within 200 ms: a killed process loses that many of them.
 */
export function createLog(level: LogLevel): FlushableLog {
  const output = destination({ dest: 1, sync: false })
  const batch = createBatch(batchLimits, (lines) => output.write(lines))
  const atOnce = destination({ dest: 1, sync: true })
  const writeRest = () => {
    const rest = batch.take()
    if (rest !== '') atOnce.write(rest)
  }
  // Runs after pino's own listener, which flushes `output`.
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
  // A child logger per event name has that name serialized already.
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

/** pino's `isoTime`, formatted once per millisecond: a busy server writes several lines in each. */
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
