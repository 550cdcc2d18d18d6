import { availableParallelism } from 'node:os'
import sharp from 'sharp'

/**
 * The allowed readers of libvips. All others (SVG, PDF and a dozen rare formats) are blocked
 * because they are not listed.
 */
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff']

/**
 * Applies settings of libvips to the whole process. Only the needed readers are allowed. Each
 * picture uses one thread, because several are made at a time. There is no cache, because
 * renditions are cached as blobs and no two calls are alike.
 */
export function prepareProcess(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers.map((reader) => `VipsForeignLoad${reader}`) })
  sharp.cache(false)
  sharp.concurrency(1)
}

/** The default number of threads in libuv's pool, without UV_THREADPOOL_SIZE. */
const POOL_THREADS = 4

/**
 * How many pictures to make at a time: one per core, but leaving one thread of libuv's pool free.
 * Files are read on that pool too and would have to wait.
 */
export function defaultParallel(): number {
  const threads = Number(process.env['UV_THREADPOOL_SIZE']) || POOL_THREADS
  return Math.max(1, Math.min(availableParallelism(), threads - 1))
}
