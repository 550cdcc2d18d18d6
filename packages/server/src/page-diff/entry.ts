// The code of the thread. It is small because everything it imports is loaded again for the thread.
import { parentPort } from 'node:worker_threads'
import { inlinePageDiffs } from '@quire/core/memory'
import { PageDiffRefused } from '@quire/core/ports'
import type { Answer, Failure, Request } from './protocol.ts'

const diffs = inlinePageDiffs()

// Loads the libraries, so that the time limit of the first comparison does not include that.
await diffs.state('', '')
parentPort?.on('message', (request: Request) => void answer(request))
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage('started')

async function answer(request: Request): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(await answerTo(request))
}

async function answerTo({ before, after }: Request): Promise<Answer> {
  try {
    return { highlighted: await diffs.state(before, after) }
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof PageDiffRefused) return { kind: error.kind, message: error.message }
  return { kind: 'broken', message: `The pages could not be compared: ${String(error)}` }
}
