import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type HighlightedPage, PageDiffRefused } from '@quire/core/ports'
import type { Answer, Request } from './protocol.ts'

/** Limits of a thread: time per comparison in milliseconds, and heap size in MiB. */
export interface ThreadLimits {
  readonly timeMs: number
  readonly memoryMiB: number
}

/** A thread that compares pairs of pages, one after the other, until its first failure. */
export interface PageDiffThread {
  /** False once the thread has ended. Exceeding a limit ends it. */
  isOpen(): boolean
  /** One call at a time. Errors: PageDiffRefused. */
  state(request: Request): Promise<HighlightedPage>
  /** Ends the thread. A comparison that is under way is rejected. */
  end(): Promise<void>
}

/** Starts a thread. It keeps the process alive only while it compares. */
export function startPageDiffThread({ timeMs, memoryMiB }: ThreadLimits): PageDiffThread {
  const worker = openWorker(memoryMiB)
  // Its first message. The limit does not include the start, which takes long on a busy machine.
  const started = new Promise((resolve) => worker.once('message', resolve))
  let open = true
  let refuse: ((error: PageDiffRefused) => void) | undefined
  const end = async (error: PageDiffRefused) => {
    open = false
    refuse?.(error)
    // Otherwise the process could exit before the thread has ended.
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
      let timer: NodeJS.Timeout | undefined
      refuse = reject
      worker.ref()
      try {
        await Promise.race([started, promise])
        timer = setTimeout(() => void end(slow(timeMs)), timeMs)
        worker.once('message', resolve)
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

/**
 * The entry file is next to this one in the sources. In the package, where this file is bundled
 * into another, it is in its own folder.
 */
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
  return new PageDiffRefused('large', 'The pages are too large to be compared: view each page on its own.', {
    cause: error,
  })
}

function slow(timeMs: number): PageDiffRefused {
  return new PageDiffRefused(
    'slow',
    `The pages could not be compared within ${timeMs} ms: view each page on its own.`,
  )
}

function broken(options?: ErrorOptions): PageDiffRefused {
  return new PageDiffRefused('broken', 'Comparing the pages failed: try again.', options)
}

/** The error of calls after the end. */
export function closed(): PageDiffRefused {
  return new PageDiffRefused('closed', 'Pages are no longer compared: the service is stopping.')
}
