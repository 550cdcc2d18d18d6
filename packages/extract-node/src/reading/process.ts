import { setPriority } from 'node:os'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

// Whoever reads and writes content goes first: on a full machine a third of the service's share. At twice it is a tenth, and files run out of time.
const niceness = 5

/**
 * The process that reads files: its main thread parses, a second one watches over its memory. A parser holds the first up, and V8 bounds
 * neither buffers nor what one allocation may take beyond its limit.
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
