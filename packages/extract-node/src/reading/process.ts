import { setPriority } from 'node:os'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

// Requests have priority: on a fully used machine, a reader gets a third of the service's share of
// the CPU. At twice this value it is a tenth, and files exceed their time.
const niceness = 5

/**
 * The reader process. Its main thread parses, and a second thread watches its memory. A parser
 * blocks the first, and V8 limits neither buffers nor a single allocation beyond the heap limit.
 */
if (isMainThread) {
  setPriority(niceness)
  const [, entry = '', mostMemory] = process.argv
  new Worker(entry, { workerData: { mostMemory: Number(mostMemory), parent: process.ppid } }).unref()
  const { serve } = await import('./serve.ts')
  serve()
} else {
  const { watch } = await import('./watch.ts')
  watch(workerData)
}
