import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type HighlightedPage, PageDiffRefused } from '@quire/core/ports'
import type { Answer, Request } from './protocol.ts'

/** Limits of a thread: of one page's time in milliseconds, and of its heap in MiB. */
export interface ThreadLimits {
  readonly timeMs: number
  readonly memoryMiB: number
}

/** A thread that compares one pair of pages after the other, until it fails once. */
export interface PageDiffThread {
  /** False once it ended: a refusal by a limit ends it. */
  isOpen(): boolean
  /** One call at a time. Errors: PageDiffRefused. */
  state(request: Request): Promise<HighlightedPage>
  /** What is under way is refused. */
  end(): Promise<void>
}

/** Starts a thread. It holds the process only while it compares. */
export function startPageDiffThread({ timeMs, memoryMiB }: ThreadLimits): PageDiffThread {
  const worker = openWorker(memoryMiB)
  let open = true
  let refuse: ((error: PageDiffRefused) => void) | undefined
  const end = async (error: PageDiffRefused) => {
    open = false
    refuse?.(error)
    // Otherwise a process that waits for nothing else would go before the thread has.
    worker.ref()
    await worker.terminate()
  }
  worker.unref()
  worker.on('error', (error) => void end(refusalOf(error)))
  worker.on('exit', () => void end(broken()))
  return {
    isOpen: () => open,
    async state(request) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const timer = setTimeout(() => void end(slow(timeMs)), timeMs)
      refuse = reject
      worker.ref()
      worker.once('message', resolve)
      try {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage(request)
        return highlightedOf(await promise)
      } finally {
        clearTimeout(timer)
        worker.off('message', resolve)
        if (open) worker.unref()
      }
    },
    end: () => end(closed()),
  }
}

/** Beside this file stands what the thread runs; in the package, where this file is taken into another, in its folder. */
function openWorker(memoryMiB: number): Worker {
  const isSource = extname(import.meta.url) === '.ts'
  return new Worker(new URL(isSource ? './entry.ts' : './page-diff/entry.js', import.meta.url), {
    name: 'quire-page-diff',
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    execArgv: isSource ? ['--conditions=quire-source'] : [],
  })
}

function highlightedOf(answer: Answer): HighlightedPage {
  if ('highlighted' in answer) return answer.highlighted
  throw new PageDiffRefused(answer.kind, answer.message)
}

function refusalOf(error: unknown): PageDiffRefused {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (!isMemory) return broken({ cause: error })
  return new PageDiffRefused('large', 'The pages are too large to be compared: look at each by itself.', {
    cause: error,
  })
}

function slow(timeMs: number): PageDiffRefused {
  return new PageDiffRefused(
    'slow',
    `The pages were not compared within ${timeMs} ms: look at each by itself.`,
  )
}

function broken(options?: ErrorOptions): PageDiffRefused {
  return new PageDiffRefused('broken', 'What compares pages broke down: try again.', options)
}

/** What a call gets once nothing is compared any more. */
export function closed(): PageDiffRefused {
  return new PageDiffRefused('closed', 'Pages are no longer compared: the service is stopping.')
}
