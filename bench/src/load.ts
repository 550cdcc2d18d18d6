import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The requests to send, their target, and for how long. */
export interface Load {
  readonly port: number
  /**
   * Ports of more servers with the same content. Connections are distributed over all of them.
   * Default: none.
   */
  readonly others?: readonly number[]
  /** Complete HTTP/1.1 requests. Each connection cycles through them. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly durationMs: number
  /** Milliseconds that a connection pauses after each answer, as a person would. Default: none. */
  readonly pauseMs?: number
}

/** A load that runs until it is stopped. */
export interface RunningLoad {
  stop(): Promise<Measured>
}

export interface Measured {
  /** Answers per second. */
  readonly rate: number
  /** In milliseconds, like the other times. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly mean: number
  /** Number of answers by status, or by success. */
  readonly statuses: Readonly<Record<string, number>>
}

/**
 * Starts a load that runs until it is stopped, at most for its duration. It comes from a separate
 * process, so that the measured one keeps its core. It is for what runs beside a measurement: it
 * costs more than wrk, which measures everything else.
 */
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
