// The program of the thread. It is kept small, because the thread loads all its modules again.
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteCode } from '../sqlite-error.ts'
import { giveWay } from './give-way.ts'
import { openJobs } from './jobs.ts'
import type { Failure, JobName, JobTable, Request, ThreadSetup } from './protocol.ts'

const setup: ThreadSetup = workerData
if (setup.nice !== undefined) giveWay(setup.nice)
const jobs = openJobs(setup)

parentPort?.on('message', (request: Request) => void answer(request))

async function answer(request: Request): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(await answerTo(request))
}

async function answerTo(
  request: Request,
): Promise<{ id: number; result: unknown } | { id: number; failure: Failure }> {
  try {
    return { id: request.id, result: await perform(jobs, request) }
  } catch (error) {
    return { id: request.id, failure: failureOf(error) }
  }
}

function perform<N extends JobName>(table: JobTable, { name, input }: Request<N>) {
  return table[name](input)
}

/**
 * Sends errors as SQLite reported them, even if a connection here already translated them: the
 * calling thread translates them.
 */
function failureOf(error: unknown): Failure {
  const first = error instanceof Error && sqliteCode(error.cause) !== null ? error.cause : error
  return { message: first instanceof Error ? first.message : String(first), code: sqliteCode(first) }
}
