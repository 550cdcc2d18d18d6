// What the thread runs. It is kept small: all it loads is loaded again for it.
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

/** What a connection here has said in words of the store is told as SQLite said it: so it is said again where it was asked for. */
function failureOf(error: unknown): Failure {
  const first = error instanceof Error && sqliteCode(error.cause) !== null ? error.cause : error
  return { message: first instanceof Error ? first.message : String(first), code: sqliteCode(first) }
}
