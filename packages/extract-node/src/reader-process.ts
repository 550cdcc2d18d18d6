import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bytes } from '@quire/core/ports'
import { createDeadline, type Deadline } from './deadline.ts'
import type { ParsedKind } from './kinds.ts'
import { type Order, type Report, reportIn } from './reading/message.ts'
import { outcomeOf } from './outcome.ts'

/** What one process must keep to. */
export interface ReaderBounds {
  readonly seconds: number
  /** Bytes. */
  readonly memory: number
}

/** A process that reads files, one at a time. */
export interface ReaderProcess {
  /** What it made of a file. Errors: ExtractionRefused; those of the source. After an error the process is ended. */
  read(kind: ParsedKind, source: () => Promise<Bytes>): Promise<Report>
  isAlive(): boolean
  end(): void
}

/** Begins a process that reads. */
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
        // What is left behind would count as the next file's.
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

// As is this file: a source beside its source, built beside what is built.
const kindOfFile = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = fileURLToPath(new URL(`./reading/process.${kindOfFile}`, import.meta.url))

// Megabytes of objects of JavaScript, beside which there are buffers: half of what a process may have by default.
const heap = 256

// Of the time for a file, after which a reader stops by itself and gives what it has.
const softPart = 0.8

function begin(memory: number): ChildProcess {
  const child = fork(entry, [String(memory)], {
    execArgv: [
      `--max-old-space-size=${heap}`,
      '--max-semi-space-size=16',
      // A parser that is led astray can neither write files, nor begin processes, nor load native code; and it sees no secret.
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--no-warnings',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // What goes wrong between two files is found when the next one comes.
  child.on('error', () => undefined)
  return child
}

function holdProgram(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

/** A program ends though a process waits for its next file. */
function releaseProgram(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

interface ReadOrder {
  readonly kind: ParsedKind
  readonly source: () => Promise<Bytes>
  /** What the reader is told that it has. */
  readonly milliseconds: number
  readonly clock: Deadline
}

/** Hands a file over and waits for what is said of it. */
async function reportOn(child: ChildProcess, reading: ReadOrder): Promise<Report> {
  const outcome = outcomeOf(child, reading.clock)
  try {
    // A process that ends ends the wait for a source that stalls.
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
  let isInUse = await notify(child, { kind, milliseconds })
  for await (const piece of await source()) {
    isInUse = isInUse && (await notify(child, { piece }))
    if (!isInUse) return
    clock.renew()
  }
  await notify(child, { end: true })
}

/** Whether a process took what it was told: one that ended does not. */
function notify(child: ChildProcess, order: Order): Promise<boolean> {
  return new Promise((resolve) => {
    child.send(order, (error) => resolve(error === null))
  })
}
