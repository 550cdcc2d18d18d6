import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What to send, to whom, for how long. */
export interface Load {
  readonly port: number
  /** Whole HTTP/1.1 requests; each connection takes the next one, round and round. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly durationMs: number
}

/** What came back. */
export interface Measured {
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** Sends a load from a process of its own, so that the one that is measured keeps its core. */
export function sendLoad(load: Load): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('./generator.ts', import.meta.url)))
  return new Promise((resolve, reject) => {
    child.once('message', (measured: Measured) => resolve(measured))
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load generator ended with ${code}`)))
    child.send(load)
  })
}
