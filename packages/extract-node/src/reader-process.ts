import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bytes } from '@quire/core/ports'
import { createDeadline, type Deadline } from './deadline.ts'
import type { ParsedKind } from './kinds.ts'
import { type Order, type Report, reportIn } from './reading/message.ts'
import { outcomeOf } from './outcome.ts'

/** Limits of one process. */
export interface ReaderBounds {
  readonly seconds: number
  /** Bytes. */
  readonly memory: number
}

/** A process that reads files, one at a time. */
export interface ReaderProcess {
  /**
   * Reads a file. Errors: ExtractionRefused; those of the source. After an error the process is
   * ended.
   */
  read(kind: ParsedKind, source: () => Promise<Bytes>): Promise<Report>
  isAlive(): boolean
  end(): void
}

/** Starts a reader process. */
export function beginReader({ seconds, memory }: ReaderBounds): ReaderProcess {
  const child = begin(memory)
  const end = () => void child.kill('SIGKILL')
  return {
    isAlive: () => child.connected && !child.killed,
    end,
    async read(kind, source) {
      const clock = createDeadline(seconds, end)
      holdProgram(child)
      try {
        const report = await reportOn(child, { kind, source, milliseconds: seconds * softPart * 1000, clock })
        // Memory that is not released would count against the next file.
        if (report.memory > memory / 2) end()
        return report
      } catch (error) {
        end()
        throw error
      } finally {
        clock.stop()
        releaseProgram(child)
      }
    },
  }
}

// The entry file has the type of this file: TypeScript in the sources, JavaScript in a build.
const kindOfFile = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = fileURLToPath(new URL(`./reading/process.${kindOfFile}`, import.meta.url))

// Megabytes for the JavaScript heap. Buffers are outside of it. This is half of the default memory
// of a process.
const heap = 256

// Share of the time for a file after which a parser stops by itself and returns what it has.
const softPart = 0.8

function begin(memory: number): ChildProcess {
  const child = fork(entry, [String(memory)], {
    execArgv: [
      `--max-old-space-size=${heap}`,
      '--max-semi-space-size=16',
      // A compromised parser cannot write files, start processes or load native code, and it sees
      // no secret.
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--no-warnings',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // An error between two files is noticed when the next one arrives.
  child.on('error', () => undefined)
  return child
}

function holdProgram(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

/** Lets the program exit although a process waits for its next file. */
function releaseProgram(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

interface ReadOrder {
  readonly kind: ParsedKind
  readonly source: () => Promise<Bytes>
  /** The time limit that the reader itself gets. */
  readonly milliseconds: number
  readonly clock: Deadline
}

/** Sends a file to the process and waits for its report. */
async function reportOn(child: ChildProcess, reading: ReadOrder): Promise<Report> {
  const outcome = outcomeOf(child, reading.clock)
  try {
    // If the process ends, this stops waiting for a stalled source.
    await Promise.race([handOver(child, reading), outcome.message])
    return reportIn(await outcome.message)
  } finally {
    outcome.forget()
  }
}

async function handOver(
  child: ChildProcess,
  { kind, source, milliseconds, clock }: ReadOrder,
): Promise<void> {
  let isReading = await notify(child, { kind, milliseconds })
  for await (const piece of await source()) {
    isReading = isReading && (await notify(child, { piece }))
    if (!isReading) return
    clock.renew()
  }
  await notify(child, { end: true })
}

/** Sends a message to the process. False when the process has ended. */
function notify(child: ChildProcess, order: Order): Promise<boolean> {
  return new Promise((resolve) => {
    child.send(order, (error) => resolve(error === null))
  })
}
