import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What to send, to whom, for how long. */
export interface Load {
  readonly port: number
  /** Ports of more servers of the same content: connections go to all of them in turn. Default: none. */
  readonly others?: readonly number[]
  /** Whole HTTP/1.1 requests; each connection takes the next one, round and round. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly durationMs: number
  /** Milliseconds that a connection waits after each answer, as a person does. Default: none. */
  readonly pauseMs?: number
}

/** A load that goes on until it is stopped. */
export interface RunningLoad {
  stop(): Promise<Measured>
}

/** What came back. */
export interface Measured {
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** Sends a load from a process of its own, so that the one that is measured keeps its core. */
export function sendLoad(load: Load): Promise<Measured> {
  return measuredBy(startGenerator(load))
}

/** Starts a load that ends when it is stopped, at the latest after its duration. */
export function openLoad(load: Load): RunningLoad {
  const child = startGenerator(load)
  const measured = measuredBy(child)
  return {
    stop() {
      child.send('stop')
      return measured
    },
  }
}

function startGenerator(load: Load): ChildProcess {
  const child = fork(fileURLToPath(new URL('./generator.ts', import.meta.url)))
  child.send(load)
  return child
}

function measuredBy(child: ChildProcess): Promise<Measured> {
  return new Promise((resolve, reject) => {
    child.once('message', (measured: Measured) => resolve(measured))
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load generator ended with ${code}`)))
  })
}
