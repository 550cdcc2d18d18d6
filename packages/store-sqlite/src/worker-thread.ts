import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '@quire/core/ports'
import Database from 'better-sqlite3'
import type { Answer, Failure, JobName, Jobs, ThreadSetup } from './worker/protocol.ts'

/** A thread, until it ends or breaks down. */
export interface Thread {
  /** False once it is to end. */
  takesJobs(): boolean
  run<N extends JobName>(name: N, input: Jobs[N]['input']): Promise<Jobs[N]['result']>
  /** Does what it was asked for, and is gone. */
  end(): Promise<void>
  /** Resolves when it is gone, however it went. */
  readonly ended: Promise<void>
}

/** Jobs that wait at most. With twice as many the last of them waits past any client. */
const MOST_WAITING = 256

/** Starts a thread. It holds the process while it has something to do. */
export function startThread(setup: ThreadSetup, idleMs: number): Thread {
  const worker = openWorker(setup)
  const waiting = new Map<number, Waiting>()
  const ended = watchEnd(worker, waiting)
  let open = true
  let next = 0
  let idle: NodeJS.Timeout | undefined
  const end = async () => {
    open = false
    clearTimeout(idle)
    await Promise.allSettled([...waiting.values()].map(({ promise }) => promise))
    await worker.terminate()
    await ended
  }
  const rest = () => {
    worker.unref()
    idle = setTimeout(() => void end(), idleMs)
    idle.unref()
  }
  void ended.then(() => (open = false))
  worker.on('message', (answer: Answer) => {
    complete(waiting, answer)
    if (waiting.size === 0 && open) rest()
  })
  return {
    ended,
    takesJobs: () => open,
    async run(name, input) {
      if (waiting.size >= MOST_WAITING) throw tooMuch()
      clearTimeout(idle)
      worker.ref()
      const id = next++
      const { promise, resolve, reject } = Promise.withResolvers<Jobs[typeof name]['result']>()
      waiting.set(id, { promise, resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id, name, input })
      return promise
    },
    end,
  }
}

/**
 * Beside this file stands the folder of what the thread runs, in the source as in the package. Its heap has no bound of its own: where
 * an answer outgrew one, SQLite's binding would end the process and not the thread. What is asked for is bounded instead.
 */
function openWorker(setup: ThreadSetup): Worker {
  const extension = extname(import.meta.url)
  return new Worker(new URL(`./worker/entry${extension}`, import.meta.url), {
    name: 'quire-heavy',
    workerData: setup,
    execArgv: extension === '.ts' ? ['--conditions=quire-source'] : [],
  })
}

interface Waiting {
  readonly promise: Promise<unknown>
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** What waits when the thread goes is refused: it can be asked again. */
async function watchEnd(worker: Worker, waiting: Map<number, Waiting>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let cause: unknown
  worker.on('error', (error) => (cause = error))
  worker.on('exit', () => resolve())
  await promise
  for (const { reject } of waiting.values()) reject(brokenDown(cause))
  waiting.clear()
}

function complete(waiting: Map<number, Waiting>, answer: Answer): void {
  const job = waiting.get(answer.id)
  waiting.delete(answer.id)
  if ('failure' in answer) job?.reject(errorOf(answer.failure))
  else job?.resolve(answer.result)
}

/** The error as a connection of this thread would have given it. */
function errorOf({ message, code }: Failure): unknown {
  return code === null ? new Error(message) : new Database.SqliteError(message, code)
}

function brokenDown(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('busy', 'The thread of heavy reads broke down: try again.', { cause })
}

function tooMuch(): StoreUnavailable {
  return new StoreUnavailable('busy', 'Too many heavy reads wait: try again.')
}
