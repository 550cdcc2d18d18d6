import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '@quire/core/ports'
import Database from 'better-sqlite3'
import type { Answer, Failure, JobName, Jobs, ThreadSetup } from './worker/protocol.ts'

/** A thread that runs jobs until it ends or crashes. */
export interface Thread {
  /** False once the thread is ending. */
  takesJobs(): boolean
  run<N extends JobName>(name: N, input: Jobs[N]['input']): Promise<Jobs[N]['result']>
  /** Finishes the queued jobs, then ends the thread. */
  end(): Promise<void>
  /** Resolves when the thread has ended for any reason. */
  readonly ended: Promise<void>
}

/**
 * The maximum number of waiting jobs. With twice as many, the last one waits longer than any
 * client.
 */
const MOST_WAITING = 256

/** Starts a thread. The thread keeps the process alive only while it has jobs. */
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
 * The thread's code is in a folder next to this file, both in the source and in the package. Its
 * heap has no limit of its own: an answer that exceeded one would make SQLite's binding end the
 * process, not just the thread. The size of the answers is limited instead.
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

/** Rejects the waiting jobs when the thread ends; they can be retried. */
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

/** Rebuilds the error as a connection of this thread would have thrown it. */
function errorOf({ message, code }: Failure): unknown {
  return code === null ? new Error(message) : new Database.SqliteError(message, code)
}

function brokenDown(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('busy', 'The thread for slow reads crashed: try again.', { cause })
}

function tooMuch(): StoreUnavailable {
  return new StoreUnavailable('busy', 'Too many slow reads are waiting: try again.')
}
