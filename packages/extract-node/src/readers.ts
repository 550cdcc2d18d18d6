import type { Bytes } from '@quire/core/ports'
import type { ParsedKind } from './kinds.ts'
import { beginReader, type ReaderProcess } from './reader-process.ts'
import { refused } from './refused.ts'

/** Limits of all readers together. */
export interface ReaderLimits {
  readonly seconds: number
  readonly memory: number
  readonly parallel: number
  readonly queue: number
  readonly idle: number
}

/** Processes that read files. */
export interface Readers {
  /**
   * Reads the text of a file. `source` is called when a process is free. Errors: ExtractionRefused;
   * those of the source.
   */
  read(kind: ParsedKind, source: () => Promise<Bytes>): Promise<string>
}

/** Creates the readers. No process starts before the first file. */
export function createReaders({ parallel, queue, idle, ...bounds }: ReaderLimits): Readers {
  const waiting: (() => void)[] = []
  const idlers: Idler[] = []
  let running = 0
  const enter = async () => {
    if (running < parallel) {
      running += 1
      return
    }
    if (waiting.length >= queue) throw refused('busy')
    // A finished file hands its slot to the next waiting one, so that a later one cannot take it.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return {
    async read(kind, source) {
      await enter()
      try {
        const reader = takeIdler(idlers) ?? beginReader(bounds)
        const { text, fault } = await reader.read(kind, source)
        rest(idlers, reader, idle)
        if (fault !== null) throw refused('unreadable', new Error(fault))
        return text
      } finally {
        leave()
      }
    },
  }
}

/** A process that waits for its next file, and the timer that ends it. */
interface Idler {
  readonly reader: ReaderProcess
  readonly timer: NodeJS.Timeout
}

function takeIdler(idlers: Idler[]): ReaderProcess | undefined {
  for (let idler = idlers.pop(); idler; idler = idlers.pop()) {
    clearTimeout(idler.timer)
    if (idler.reader.isAlive()) return idler.reader
  }
  return undefined
}

/**
 * Leaves a process running for the next file: starting one and loading a parser takes a third of a
 * second.
 */
function rest(idlers: Idler[], reader: ReaderProcess, seconds: number): void {
  const end = () => {
    const at = idlers.findIndex((idler) => idler.reader === reader)
    if (at >= 0) idlers.splice(at, 1)
    reader.end()
  }
  // Neither the timer nor the process keeps the program alive.
  idlers.push({ reader, timer: setTimeout(end, seconds * 1000).unref() })
}
